#include "tools/windrow/node_operator.h"

namespace windrow::tool {

Result<OperatorInfo> operator_of(const Model& model, const ModelNode& node) {
  const std::string domain = node.domain == "ai.onnx" ? "" : node.domain;
  const auto opset = model.opset_imports.find(domain);
  OperatorId id{model.dialect, node.op_type, node.version};
  if (!node.unsupported.empty()) return Status(ErrorCode::kUnsupported, node.unsupported);
  if (opset != model.opset_imports.end()) id.version = opset->second;
  Result<OperatorInfo> info = find_operator(id);
  if (info && info->domain != domain) return Status(ErrorCode::kUnsupported, node.op_type);
  return info;
}

Origins origins_of(const Model& model, bool conversions) {
  Origins origins;
  for (const ModelNode& node : model.nodes) {
    const bool hands_on = node.op_type == "Identity" || (conversions && node.op_type == "Convert");
    if (hands_on && node.inputs.size() == 1 && node.outputs.size() == 1)
      origins[node.outputs[0]] = origin_of(origins, node.inputs[0]);
  }
  return origins;
}

const std::string& origin_of(const Origins& origins, const std::string& name) {
  const auto source = origins.find(name);
  return source == origins.end() ? name : source->second;
}

}  // namespace windrow::tool
