#include "tools/windrow/playground_call.h"

#include <fmt/core.h>

#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <variant>

#include "tools/windrow/operator_words.h"
#include "tools/windrow/tensor_words.h"
#include "windrow/element.h"

namespace windrow::tool {
namespace {

[[noreturn]] void refuse_element(const std::string& input, const Shape& shape, std::int64_t place,
                                 const std::string& value, const char* reason) {
  std::string position;
  for (int axis = shape.rank(); axis-- > 0; place /= shape[axis])
    position = std::to_string(place % shape[axis]) + (position.empty() ? "" : ", ") + position;
  fail(ErrorCode::kUnsupported,
       fmt::format("{}[{}] is {}, {}: the playground takes elements that JSON can hold", input,
                   position, value, reason));
}

template <class Number>
bool is_finite(Number value) {
  if constexpr (std::is_floating_point_v<Number>) return std::isfinite(value);
  return true;
}

// "-0" would be read as a whole number, which has no sign there.
template <class Number>
std::string number_word(Number value) {
  if constexpr (std::is_floating_point_v<Number>)
    if (value == 0 && std::signbit(value)) return "-0.0";
  return to_text(Element(value));
}

// An element as JSON writes it.
std::string element_word(const std::string& input, const Tensor& tensor, std::int64_t place) {
  const Element element = element_at(tensor.dtype(), tensor.data(), place);
  const auto refuse_it = [&](const char* reason) {
    refuse_element(input, tensor.shape(), place, to_text(element), reason);
  };
  return std::visit(
      [&](const auto& value) -> std::string {
        using Value = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Value, std::string>) {
          try {
            return Json(value).dump();
          } catch (const Json::type_error&) {
            refuse_it("which is not UTF-8");
          }
        } else if constexpr (std::is_arithmetic_v<Value>) {
          if (!is_finite(value)) refuse_it("which is no finite number");
          return number_word(value);
        } else {
          if (value.imag() != 0 || std::signbit(value.imag()))
            refuse_it("which has an imaginary part");
          if (!is_finite(value.real())) refuse_it("which is no finite number");
          return number_word(value.real());
        }
        return {};
      },
      element);
}

// The elements from `place` on as lists of the axes from `axis` on.
std::string lists_of(const std::string& input, const Tensor& tensor, int axis,
                     std::int64_t& place) {
  if (axis == tensor.shape().rank()) return element_word(input, tensor, place++);
  std::string text = "[";
  for (std::int64_t i = 0; i < tensor.shape()[axis]; ++i)
    text += (i == 0 ? "" : ",") + lists_of(input, tensor, axis + 1, place);
  return text + "]";
}

std::string shape_word(const Shape& shape) {
  std::string word;
  for (int axis = 0; axis < shape.rank(); ++axis)
    word += (axis == 0 ? "" : "x") + std::to_string(shape[axis]);
  return shape.rank() == 1 ? word + "x" : word;
}

// The options that are not those of a call without any, as the page names them.
Json option_texts(const CallOptions& options) {
  Json texts = Json::object();
  if (options.out_of_range) texts["out-of-range"] = out_of_range_name(*options.out_of_range);
  if (options.negative) texts["negative"] = negative_name(*options.negative);
  if (options.duplicates != Duplicates::kAllow)
    texts["duplicates"] = duplicates_name(options.duplicates);
  if (options.padding_index) texts["padding-index"] = std::to_string(*options.padding_index);
  if (options.strict) texts["strict"] = "true";
  return texts;
}

// The operator that the page compares with: the newest version, with its usual attributes.
std::string compared_operator(const std::string& other, const OperatorInfo& info) {
  const OperatorId id = parse_operator_id(other, std::nullopt);
  if (id.version || other.find(':') != std::string::npos)
    fail(ErrorCode::kUnsupported,
         fmt::format("--as {}: the playground compares with the newest version of an operator and "
                     "its usual attributes: give its name alone, as in openvino.Gather",
                     other));
  const OperatorInfo found = find_operator(id).value();
  if (found.dialect == info.dialect && found.name == info.name)
    fail(ErrorCode::kInvalidArgument,
         fmt::format("--as {}: is the operator of the call itself", other));
  return found.dialect + "." + found.name;
}

}  // namespace

std::string word_of_tensor(const std::string& input, const TensorView& view) {
  const auto count = element_count(view.shape);
  if (view.data == nullptr && view.shape.rank() == 0)
    return word_of_tensor(input, counting_tensor(view.dtype, view.shape));
  if (view.data == nullptr || count == 0) return shape_word(view.shape);
  if (!count || *count > kMostListed)
    fail(ErrorCode::kUnsupported,
         fmt::format("{} has {} elements, the playground takes lists of at most {}: give its shape "
                     "alone, with which its elements count from 0",
                     input, count.value_or(0), kMostListed));
  const Tensor tensor = Tensor::copy_of(view).value();
  std::int64_t place = 0;
  return lists_of(input, tensor, 0, place);
}

std::vector<std::string> attribute_texts(const Attributes& attributes) {
  std::vector<std::string> texts;
  for (const auto& [name, held] : attributes) {
    const std::string text = std::visit(
        [](const auto& value) -> std::string {
          using Value = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<Value, std::string>) return value;
          if constexpr (std::is_constructible_v<Json, Value>) return Json(value).dump();
          return {};
        },
        held);
    texts.push_back(name + "=" + text);
  }
  return texts;
}

Json playground_call(const ExplainWords& words, const CallOptions& options,
                     const std::string& other, const ReadTensor& read) {
  std::map<std::string, std::string> lists;  // of inputs that `read` has taken
  const WordsCall call = call_of_words(
      words, options, [&](const std::string& word, const std::string& name, DType expected) {
        Tensor tensor = read(word, name, expected);
        lists[name] = word_of_tensor(name, tensor);
        return tensor;
      });
  const OperatorInfo info = find_operator(call.id).value();
  const std::vector<DType> told = told_types(info, words.dtypes);
  Json inputs = Json::object();
  for (std::size_t i = 0; i + 1 < words.inputs.size(); i += 2) {
    const std::string name = words.inputs[i].substr(2);
    inputs[name] = lists.contains(name) ? lists[name] : words.inputs[i + 1];
  }
  Json dtypes = Json::object();
  for (std::size_t i = 0; i < info.inputs.size(); ++i) {
    const std::string& name = info.inputs[i].name;
    const DType type = lists.contains(name) ? call.inputs.views[i].dtype : told[i];
    if (type != DType::kAbsent) dtypes[name] = dtype_name(type);
  }
  Json attributes = Json::object();
  for (const std::string& text : words.attributes)
    attributes[text.substr(0, text.find('='))] = text.substr(text.find('=') + 1);
  Json others = Json::array();
  if (!other.empty()) others.push_back(compared_operator(other, info));
  return {{"operator", info.dialect + "." + info.name},
          {"version", info.since_version},
          {"inputs", inputs},
          {"dtypes", dtypes},
          {"attributes", attributes},
          {"options", option_texts(options)},
          {"as", others}};
}

namespace {

void require_page(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(path, ignored)) return;
  fail(ErrorCode::kUnsupported,
       fmt::format("this build has no playground: there is no file {}. A build has it if ./dev "
                   "playground could make the page, for which it needs clang for WebAssembly; "
                   "windrow explain shows the same calls without it",
                   path));
}

// Letters, digits and what RFC 3986 calls unreserved stay, and so does what `kept` holds.
std::string percent_encoded(std::string_view text, std::string_view kept) {
  std::string encoded;
  for (const char each : text) {
    const bool is_plain = (each >= 'a' && each <= 'z') || (each >= 'A' && each <= 'Z') ||
                          (each >= '0' && each <= '9') ||
                          std::string_view("-._~").find(each) != std::string_view::npos ||
                          kept.find(each) != std::string_view::npos;
    if (is_plain)
      encoded += each;
    else
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(each));
  }
  return encoded;
}

// Where playground/page.html has its call.
constexpr std::string_view kPlace = R"(<script type="application/json" id="given">)";
constexpr std::string_view kNoCall = "null";

}  // namespace

std::string page_address(const std::string& path, const Json& call) {
  require_page(path);
  const std::string file = std::filesystem::absolute(path).lexically_normal().string();
  std::string address = "file://" + percent_encoded(file, "/");
  if (!call.is_null()) address += "#" + percent_encoded(json_text(call, JsonForm::kLine), "");
  return address;
}

std::string page_with_call(const std::string& path, const Json& call) {
  require_page(path);
  std::ifstream file(path, std::ios::binary);
  std::string page{std::istreambuf_iterator<char>(file), {}};
  if (!file) fail(ErrorCode::kIo, "can't read " + path);
  const std::size_t place = page.find(std::string(kPlace) + std::string(kNoCall));
  if (place == std::string::npos)
    fail(ErrorCode::kFormat, path + " is not the page of this version's playground");
  if (call.is_null()) return page;
  std::string text;  // in which nothing ends the element that holds it
  for (const char each : json_text(call, JsonForm::kLine))
    text += each == '<' ? std::string("\\u003c") : std::string(1, each);
  return page.replace(place + kPlace.size(), kNoCall.size(), text);
}

}  // namespace windrow::tool
