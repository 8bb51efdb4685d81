#include "src/formats/openvino_ir/ir_operators.h"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "src/formats/openvino_ir/ir_text.h"
#include "src/models/openvino_types.h"
#include "src/models/text.h"

namespace windrow::internal {
namespace {

constexpr std::string_view kOpset = "opset";

// The last opset that has all operators; later ones so far hold only what is new in them.
constexpr int kLastOpset = 16;

// The nodes that run here without being operators of the library.
struct HostOperator {
  std::string_view name;
  int version;  // also the first opset that has it
};
constexpr std::array<HostOperator, 2> kHostOperators = {{{"Convert", 1}, {"Identity", 16}}};

// The number of "opset8"; nothing if the version is another one.
std::optional<int> opset_number(std::string_view version) {
  if (!version.starts_with(kOpset)) return std::nullopt;
  const std::optional<std::int64_t> number = parse_integer(version.substr(kOpset.size()));
  if (!number || *number < 1 || *number > 1000) return std::nullopt;
  return static_cast<int>(*number);
}

Status bad_value(std::string_view name, const std::string& text, std::string_view kind) {
  return format_error("attribute '", name, "' is '", text, "', must be ", kind);
}

// Reads a text as a value of the same type as `model`.
Result<AttributeValue> parse_value(std::string_view name, const std::string& text,
                                   const AttributeValue& model) {
  if (std::holds_alternative<std::int64_t>(model)) {
    const std::optional<std::int64_t> number = parse_integer(text);
    if (!number) return bad_value(name, text, "a whole number");
    return AttributeValue(*number);
  }
  if (std::holds_alternative<bool>(model)) {
    const bool is_true = text == "true" || text == "True" || text == "1";
    const bool is_false = text == "false" || text == "False" || text == "0";
    if (!is_true && !is_false) return bad_value(name, text, "true or false");
    return AttributeValue(is_true);
  }
  return AttributeValue(text);
}

// Attributes that the operator does not have are left out, as OpenVINO does.
Status read_attributes(const IrLayer& layer, const OperatorInfo& info, ModelNode& node) {
  for (const OperatorAttribute& attribute : info.attributes) {
    const std::string* const text = layer.attribute(attribute.name);
    if (text == nullptr) continue;
    Result<AttributeValue> value = parse_value(attribute.name, *text, attribute.default_value);
    if (!value) return value.error().with_context(layer_text(layer));
    node.attributes.emplace(attribute.name, *std::move(value));
  }
  return {};
}

struct ToText {
  Result<std::string> operator()(std::int64_t value) const { return std::to_string(value); }
  Result<std::string> operator()(double value) const {
    char text[32];
    const auto written = std::to_chars(std::begin(text), std::end(text), value);
    return std::string(text, written.ptr);
  }
  Result<std::string> operator()(bool value) const { return std::string(value ? "true" : "false"); }
  Result<std::string> operator()(const std::string& value) const { return value; }
  template <class T>
  Result<std::string> operator()(const std::vector<T>& values) const {
    return joined(values, ", ",
                  [](const T& value) { return *attribute_text(AttributeValue(value)); });
  }
  Result<std::string> operator()(const std::shared_ptr<const Tensor>&) const {
    return unsupported_error("OpenVINO IR has no tensors in attributes");
  }
};

}  // namespace

IrOperators::IrOperators() {
  for (OperatorInfo& info : list_operators()) {
    if (info.dialect != "openvino") continue;
    // Opset 3 has this operator's class under a later number.
    const bool is_late = info.name == "ScatterNDUpdate" && info.since_version == 3;
    const int first_opset = is_late ? 4 : info.since_version;
    entries_.push_back({std::move(info), first_opset});
  }
}

IrOperators::Meaning IrOperators::find(const std::string& type, const std::string& version) const {
  Meaning meaning{type, opset_number(version), {}};
  const std::optional<int> opset = meaning.version;
  if (!opset) {
    meaning.unsupported = "version '" + version + "' is not an opset";
    return meaning;
  }
  bool is_known = false;
  for (const Entry& entry : entries_) {
    if (!same_openvino_name(type, entry.info.name)) continue;
    is_known = true;
    meaning.op_type = entry.info.name;
    if (*opset <= kLastOpset && entry.first_opset <= *opset) meaning.info = &entry.info;
  }
  for (const HostOperator& host : kHostOperators) {
    if (!same_openvino_name(type, host.name)) continue;
    meaning.op_type = host.name;
    meaning.version = host.version;
    is_known = *opset < host.version;
  }
  if (meaning.info != nullptr) {
    meaning.version = meaning.info->since_version;
  } else if (is_known) {
    meaning.version.reset();
    meaning.unsupported = version + " has no such operator";
  }
  return meaning;
}

Status IrOperators::read(const IrLayer& layer, ModelNode& node) const {
  Meaning meaning = find(layer.type, layer.version);
  node.op_type = std::move(meaning.op_type);
  node.version = meaning.version;
  node.unsupported = std::move(meaning.unsupported);
  if (meaning.info != nullptr) return read_attributes(layer, *meaning.info, node);
  for (const auto& [name, text] : layer.attributes) node.attributes.emplace(name, text);
  return {};
}

Result<std::string> IrOperators::opset_text(const ModelNode& node,
                                            const std::optional<std::string>& kept) const {
  if (kept && find(node.op_type, *kept).version == node.version) return *kept;
  for (const Entry& entry : entries_) {
    const bool is_it = entry.info.name == node.op_type && entry.info.since_version == node.version;
    if (is_it) return std::string(kOpset) + std::to_string(entry.first_opset);
  }
  if (!node.version) return unsupported_error(node.op_type, " has no version to write");
  return std::string(kOpset) + std::to_string(*node.version);
}

Result<std::string> attribute_text(const AttributeValue& value) {
  return std::visit(ToText(), value);
}

}  // namespace windrow::internal
