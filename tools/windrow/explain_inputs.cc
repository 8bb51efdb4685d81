#include "tools/windrow/explain_inputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "tools/windrow/attribute_text.h"
#include "tools/windrow/console.h"
#include "tools/windrow/input_files.h"
#include "windrow/models.h"
#include "windrow/nearest_name.h"

namespace windrow::tool {
namespace {

// Tensors of more elements that are given by their shape alone have no values.
constexpr std::int64_t kMostCounted = std::int64_t{1} << 16;

[[noreturn]] void refuse(const std::string& input, const std::string& text) {
  fail(ErrorCode::kInvalidArgument, fmt::format("--{}: {}", input, text));
}

// "3x4x2" or "5x" as a shape; nothing if the word is none.
std::optional<Shape> parse_shape(const std::string& word) {
  if (word.find('x') == std::string::npos) return std::nullopt;
  Shape shape;
  const char* at = word.data();
  const char* const end = at + word.size();
  while (at != end) {
    std::int64_t extent = 0;
    const auto parsed = std::from_chars(at, end, extent);
    if (parsed.ec != std::errc() || extent < 0 || !shape.push_back(extent)) return std::nullopt;
    at = parsed.ptr;
    if (at == end) break;
    if (*at++ != 'x') return std::nullopt;
  }
  return shape;
}

// The extents of nested lists, as their first elements have them.
Shape nested_shape(const std::string& input, const Json& lists) {
  Shape shape;
  for (const Json* list = &lists; list->is_array(); list = &list->front()) {
    if (!shape.push_back(static_cast<std::int64_t>(list->size())))
      refuse(input, fmt::format("more than {} axes", kMaxRank));
    if (list->empty()) break;
  }
  return shape;
}

// Appends the numbers of nested lists, which must have that shape. Recurses once per axis.
void append_numbers(const std::string& input, const Json& lists, const Shape& shape, int axis,
                    std::vector<double>& numbers) {
  if (axis == shape.rank()) {
    if (!lists.is_number()) refuse(input, "its lists must have equal lengths and hold numbers");
    numbers.push_back(lists.get<double>());
    return;
  }
  if (!lists.is_array() || static_cast<std::int64_t>(lists.size()) != shape[axis])
    refuse(input, "its lists must have equal lengths and hold numbers");
  for (const Json& part : lists) append_numbers(input, part, shape, axis + 1, numbers);
}

// float32 where the input may be that, else int64, else the first type that it may have.
DType usual_type(const OperatorInput& input) {
  for (const DType type : {DType::kFloat32, DType::kInt64})
    if (std::find(input.dtypes.begin(), input.dtypes.end(), type) != input.dtypes.end())
      return type;
  return input.dtypes.empty() ? DType::kFloat32 : input.dtypes.front();
}

DType index_or_usual_type(const OperatorInfo& info, const OperatorInput& input) {
  const DType usual = usual_type(input);
  const bool moved = input.type_group == info.inputs.front().type_group;
  const bool holds_int64 =
      std::find(input.dtypes.begin(), input.dtypes.end(), DType::kInt64) != input.dtypes.end();
  return !moved && holds_int64 ? DType::kInt64 : usual;
}

Tensor tensor_of(const std::string& input, DType type, const Shape& shape,
                 const std::vector<double>& numbers) {
  Tensor tensor = Tensor::zeros(type, shape).value();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (type == DType::kFloat32) {
      static_cast<float*>(tensor.data())[i] = static_cast<float>(numbers[i]);
    } else if (type == DType::kInt64) {
      if (!(numbers[i] >= -0x1p53 && numbers[i] <= 0x1p53))
        refuse(input, "numbers beyond 2^53 need a file");
      if (numbers[i] != std::trunc(numbers[i])) refuse(input, "takes whole numbers");
      static_cast<std::int64_t*>(tensor.data())[i] = static_cast<std::int64_t>(numbers[i]);
    } else {
      refuse(input, fmt::format("values of type {} need a file", dtype_name(type)));
    }
  }
  return tensor;
}

void add_shape(const std::string& input, DType type, const Shape& shape, ExplainInputs& inputs,
               std::size_t place) {
  const auto count = element_count(shape);
  if (!count) refuse(input, "the shape has more than 2^63-1 elements");
  if (*count > kMostCounted) {
    inputs.views[place] = TensorView(type, shape, nullptr);
    return;
  }
  std::vector<double> numbers(static_cast<std::size_t>(*count));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
  inputs.tensors[place] = tensor_of(input, type, shape, numbers);
  inputs.views[place] = inputs.tensors[place];
}

void add_input(const OperatorInfo& info, std::size_t place, const std::string& word,
               InputFiles& files, ExplainInputs& inputs) {
  const OperatorInput& input = info.inputs[place];
  const DType type = index_or_usual_type(info, input);
  if (const std::optional<Shape> shape = parse_shape(word))
    return add_shape(input.name, type, *shape, inputs, place);
  const Json lists = Json::parse(word, nullptr, false);
  if (lists.is_array() || lists.is_number()) {
    const Shape shape = nested_shape(input.name, lists);
    std::vector<double> numbers;
    append_numbers(input.name, lists, shape, 0, numbers);
    inputs.tensors[place] = tensor_of(input.name, type, shape, numbers);
  } else {
    inputs.tensors[place] = files.load_tensor(word, input.name, DType::kAbsent);
  }
  inputs.views[place] = inputs.tensors[place];
}

std::size_t place_of(const OperatorInfo& info, const std::string& word) {
  std::string known;
  NearestName nearest(word);
  for (std::size_t i = 0; i < info.inputs.size(); ++i) {
    nearest.consider("--" + info.inputs[i].name);
    if (word == "--" + info.inputs[i].name) return i;
    known += (known.empty() ? "--" : ", --") + info.inputs[i].name;
  }
  fail(ErrorCode::kInvalidArgument,
       fmt::format("{}: {} has the inputs {}{}", word, operator_text(info), known, nearest.hint()));
}

}  // namespace

ExplainInputs parse_explain_inputs(const OperatorInfo& info,
                                   const std::vector<std::string>& words) {
  ExplainInputs inputs;
  InputFiles files;
  inputs.tensors.resize(info.inputs.size());
  inputs.views.resize(info.inputs.size());
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::size_t place = place_of(info, words[i]);
    if (i + 1 == words.size()) refuse(info.inputs[place].name, "needs a value");
    add_input(info, place, words[i + 1], files, inputs);
  }
  return inputs;
}

}  // namespace windrow::tool
