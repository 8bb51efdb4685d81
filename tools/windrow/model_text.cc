#include "tools/windrow/model_text.h"

#include <fmt/core.h>

namespace windrow::tool {

std::string value_text(const ValueInfo& value) {
  if (value.name.empty()) return "-";
  return value.name + " " + to_string(value) + (value.basis == Basis::kClaimed ? " (claimed)" : "");
}

std::string values_text(const std::vector<ValueInfo>& values) {
  std::string text;
  for (const ValueInfo& value : values) {
    if (!text.empty()) text += ", ";
    text += value_text(value);
  }
  return text;
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
