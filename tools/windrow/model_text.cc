#include "tools/windrow/model_text.h"

#include <fmt/core.h>

namespace windrow::tool {

std::string value_text(const ValueInfo& value) { return values_text({value}); }

std::string values_text(const std::vector<ValueInfo>& values) { return ValueTexts().list(values); }

std::string ValueTexts::list(const std::vector<ValueInfo>& values) {
  std::string text;
  for (const ValueInfo& value : values) {
    if (!text.empty()) text += ", ";
    if (value.name.empty()) {
      text += '-';
      continue;
    }
    text += value.name;
    text += ' ';
    text += type_of(value);
    if (value.basis == Basis::kClaimed) text += " (claimed)";
  }
  return text;
}

const std::string& ValueTexts::type_of(const ValueInfo& value) {
  for (const Known& known : known_)
    if (known.value.dtype == value.dtype && known.value.dims == value.dims && !known.type.empty())
      return known.type;
  Known& known = known_[next_];
  next_ = (next_ + 1) % known_.size();
  known.value.dtype = value.dtype;
  known.value.dims = value.dims;
  known.type = to_string(value);
  return known.type;
}

std::string opsets_text(const Model& model) {
  std::string text;
  for (const auto& [domain, version] : model.opset_imports) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", domain.empty() ? "ai.onnx" : domain, version);
  }
  return model.dialect == "onnx" ? "opset " + text : "OpenVINO IR";
}

}  // namespace windrow::tool
