#include "src/formats/openvino_ir/ir_text.h"

#include <cstdint>
#include <limits>
#include <utility>

#include "src/formats/archive.h"
#include "src/formats/text_parser.h"
#include "src/models/check_inputs.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kNumberBytes = 4;

std::int64_t number_at(std::string_view bytes, std::int64_t position) {
  return static_cast<std::int32_t>(
      little_endian(bytes.data() + position * kNumberBytes, kNumberBytes));
}

Status bad_strings(const std::string& why) {
  return format_error("its packed strings can't be read: ", why);
}

}  // namespace

Result<Tensor> unpack_strings(std::string_view bytes, const Shape& shape) {
  const std::int64_t count = element_count(shape).value_or(-1);
  const auto size = static_cast<std::int64_t>(bytes.size());
  if (count == 0) return Tensor::allocate(DType::kString, shape);
  if (count < 0 || count > size / kNumberBytes - 2) return bad_strings("they are cut");
  if (number_at(bytes, 0) != count)
    return bad_strings("there are " + std::to_string(number_at(bytes, 0)) + ", not " +
                       std::to_string(count));
  const std::string_view text = bytes.substr(static_cast<std::size_t>((count + 2) * kNumberBytes));
  Result<Tensor> tensor = Tensor::allocate(DType::kString, shape);
  if (!tensor) return tensor;
  auto* const elements = static_cast<std::string*>(tensor->data());
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t begin = number_at(bytes, i + 1);
    const std::int64_t end = number_at(bytes, i + 2);
    if (begin < 0 || begin > end || end > static_cast<std::int64_t>(text.size()))
      return bad_strings("element " + std::to_string(i) + " goes from " + std::to_string(begin) +
                         " to " + std::to_string(end) + " of " + std::to_string(text.size()));
    elements[i] =
        text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  }
  return tensor;
}

Result<std::string> pack_strings(const Tensor& tensor) {
  std::string bytes;
  std::size_t end = 0;
  append_little_endian(static_cast<std::uint64_t>(tensor.element_count()), kNumberBytes, bytes);
  append_little_endian(end, kNumberBytes, bytes);
  for (const std::string& element : tensor.values<std::string>()) {
    end += element.size();
    if (end > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      return unsupported_error("OpenVINO IR holds less than 2 GiB of text in one constant");
    append_little_endian(end, kNumberBytes, bytes);
  }
  for (const std::string& element : tensor.values<std::string>()) bytes += element;
  return bytes;
}

namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

Status bad_shape(std::string_view text) {
  return format_error("the shape '", text, "' can't be read");
}

Status check_rank(std::size_t rank) {
  if (rank <= static_cast<std::size_t>(kMaxRank)) return {};
  return unsupported_error("the rank is ", rank, ", at most ", kMaxRank, " is supported");
}

// One end of an interval; `otherwise` if the text is blank.
std::optional<std::int64_t> parse_bound(std::string_view text, std::int64_t otherwise) {
  return trim(text).empty() ? otherwise : parse_integer(text);
}

std::optional<Dim> parse_dim(std::string_view text) {
  if (text == "?" || text == "-1") return Dim();
  Dim dim;
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value || *value < 0) return std::nullopt;
    dim.value = *value;
    return dim;
  }
  const auto low = parse_bound(text.substr(0, dots), dim.low);
  const auto high = parse_bound(text.substr(dots + 2), dim.high);
  if (!low || !high || *low < 0 || *low > *high) return std::nullopt;
  if (*low == *high) {
    dim.value = *low;
  } else {
    dim.low = *low;
    dim.high = *high;
  }
  return dim;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) noexcept {
  return parse_number(trim(text));
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  if (trim(text).empty()) return parts;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos;
       comma = text.find(',')) {
    parts.push_back(trim(text.substr(0, comma)));
    text.remove_prefix(comma + 1);
  }
  parts.push_back(trim(text));
  return parts;
}

std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  std::string name;
  const auto finish = [&] {
    if (!name.empty()) names.push_back(std::exchange(name, {}));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',';
    if (escaped) {
      name += text[++i];
    } else if (text[i] == ',') {
      finish();
    } else {
      name += text[i];
    }
  }
  finish();
  return names;
}

Result<std::string> join_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (name.empty() || name.back() == '\\' || name.find('\0') != std::string::npos)
      return unsupported_error("OpenVINO IR has no spelling for the name '", name, "'");
    if (!text.empty()) text += ',';
    for (const char c : name) {
      if (c == ',') text += '\\';
      text += c;
    }
  }
  return text;
}

Result<Shape> parse_shape(std::string_view text) {
  const std::vector<std::string_view> parts = split_list(text);
  if (Status status = check_rank(parts.size()); !status) return status;
  Shape shape;
  for (const std::string_view part : parts) {
    const std::optional<std::int64_t> extent = parse_integer(part);
    if (!extent || *extent < 0) return bad_shape(text);
    shape.push_back(*extent);
  }
  return shape;
}

std::string shape_text(const Shape& shape) { return joined(shape, ", "); }

Result<SymbolicShape> parse_partial_shape(std::string_view text) {
  std::string_view list = trim(text);
  if (list.size() >= 2 && list.front() == '[' && list.back() == ']')
    list = list.substr(1, list.size() - 2);
  const std::vector<std::string_view> parts = split_list(list);
  for (const std::string_view part : parts) {
    if (part == "...") return SymbolicShape();
  }
  if (Status status = check_rank(parts.size()); !status) return status;
  SymbolicShape dims(std::in_place);
  for (const std::string_view part : parts) {
    std::optional<Dim> dim = parse_dim(part);
    if (!dim) return bad_shape(text);
    dims->push_back(*std::move(dim));
  }
  return dims;
}

std::string partial_shape_text(const SymbolicShape& dims) {
  return dims ? joined(*dims, ",", interval_text) : "...";
}

namespace {

// The name of a value that neither its port nor its layer names.
std::string numbered_name(const IrOutput& output) {
  return std::string(output.layer_name) + ":" + std::to_string(output.inputs + output.position);
}

class Namer {
 public:
  Namer(const IrDocument& document, const IrGraph& graph) : document_(document), graph_(graph) {
    names_.values.resize(document.layers.size());
    names_.displaced.resize(document.layers.size());
    for (const std::size_t layer : graph.order) {
      names_.values[layer].resize(document.layers[layer].outputs.size());
      names_.displaced[layer].resize(document.layers[layer].outputs.size());
    }
  }

  // Names that a file gives to values come before names that are made up, whatever the order of
  // layers: a file that is written from a model gives all of them, and so reads as the same model.
  IrNames name_all() {
    for_each_output([this](std::size_t layer, std::size_t output, const IrPort& port) {
      if (!port.names.empty()) claim(port.names.front(), layer, output, kGiven);
    });
    for_each_output([this](std::size_t layer, std::size_t output, const IrPort&) {
      if (names_.values[layer][output].empty()) make_up(layer, output);
    });
    for_each_output([this](std::size_t layer, std::size_t output, const IrPort& port) {
      for (const std::string& name : port.names) add_alias(name, names_.values[layer][output]);
    });
    for (const std::size_t layer : graph_.order) {
      const std::vector<std::string>& values = names_.values[layer];
      if (!values.empty()) add_alias(document_.layers[layer].name, values.front());
    }
    return std::move(names_);
  }

 private:
  // Takes the place of the layer for a name that the file gives.
  static constexpr std::size_t kGiven = static_cast<std::size_t>(-1);

  template <class Visit>
  void for_each_output(Visit visit) {
    for (const std::size_t layer : graph_.order) {
      const std::vector<IrPort>& outputs = document_.layers[layer].outputs;
      for (std::size_t i = 0; i < outputs.size(); ++i) visit(layer, i, outputs[i]);
    }
  }

  void make_up(std::size_t layer, std::size_t output) {
    const IrLayer& found = document_.layers[layer];
    const IrOutput place{found.name, found.inputs.size(), output};
    if (claim(found.name, layer, output, layer)) return;
    std::string name = numbered_name(place);
    if (claim(name, layer, output, layer)) return;
    // A file may have very many layers that share a name.
    std::int64_t& next = next_[found.name];
    while (!claim(name + "'" + std::to_string(next), layer, output, layer)) ++next;
    ++next;
  }

  // Gives the value a name if it is free. `owner` is the layer for which it is made up, or kGiven.
  // A value loses to another one by the order of layers, unless that one's name is given and its
  // own is not.
  bool claim(const std::string& name, std::size_t layer, std::size_t output, std::size_t owner) {
    const auto [taken, is_free] = taken_.emplace(name, owner);
    if (is_free) {
      names_.values[layer][output] = name;
    } else if (owner == kGiven || (taken->second != kGiven && taken->second != layer)) {
      names_.displaced[layer][output] = true;
    }
    return is_free;
  }

  void add_alias(const std::string& name, const std::string& value) {
    if (taken_.emplace(name, kGiven).second) names_.aliases.emplace(name, value);
  }

  const IrDocument& document_;
  const IrGraph& graph_;
  std::map<std::string, std::size_t> taken_;
  std::map<std::string_view, std::int64_t> next_;  // by the layers' name
  IrNames names_;
};

}  // namespace

IrNames name_values(const IrDocument& document, const IrGraph& graph) {
  return Namer(document, graph).name_all();
}

std::vector<std::string> port_names(const std::string& value, const IrAliases& aliases,
                                    const IrOutput& output) {
  std::vector<std::string> names = {value};
  const std::vector<std::string>* const others = find_in(aliases, value);
  if (others == nullptr) return names;
  for (const std::string& alias : *others)
    if (output.position > 0 || alias != output.layer_name) names.push_back(alias);
  return names;
}

bool may_have_names(const std::string& value, const std::vector<std::string>& names,
                    const IrOutput& output) {
  if (!names.empty()) return names.front() == value;
  return value == output.layer_name || value == numbered_name(output);
}

}  // namespace windrow::internal
