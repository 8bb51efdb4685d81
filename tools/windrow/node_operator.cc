#include "tools/windrow/node_operator.h"

#include <utility>

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

NodeOperators::NodeOperators(const Model& model) : model_(model) {
  for (OperatorInfo& info : list_operators()) {
    if (info.dialect == model.dialect) names_.insert(std::move(info.name));
  }
}

const OperatorInfo* NodeOperators::find(const ModelNode& node) {
  if (!node.unsupported.empty() || !names_.contains(node.op_type)) return nullptr;
  const auto key =
      std::tuple(std::string_view(node.domain), std::string_view(node.op_type), node.version);
  const auto [place, is_new] = infos_.try_emplace(key);
  if (is_new) {
    Result<OperatorInfo> info = operator_of(model_, node);
    if (info) place->second = *std::move(info);
  }
  return place->second ? &*place->second : nullptr;
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
