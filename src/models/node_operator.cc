#include "src/models/node_operator.h"

#include <utility>

namespace windrow::internal {

std::string domain_name(const std::string& domain) { return domain.empty() ? "ai.onnx" : domain; }

Result<int> opset_of(const Model& model, const std::string& domain) {
  const auto import = model.opset_imports.find(domain);
  if (import != model.opset_imports.end()) return import->second;
  return Status(ErrorCode::kFormat,
                "the model imports no opset of domain '" + domain_name(domain) + "'");
}

Result<std::optional<int>> version_of(const Model& model, const ModelNode& node) {
  if (node.version || model.dialect != "onnx") return node.version;
  const Result<int> opset = opset_of(model, node.domain);
  if (!opset) return opset.error();
  return std::optional<int>(*opset);
}

Result<NodeOperator> find_node_operator(const Model& model, const ModelNode& node) {
  if (!node.unsupported.empty()) return Status(ErrorCode::kUnsupported, node.unsupported);
  const Result<std::optional<int>> version = version_of(model, node);
  if (!version) return version.error();
  OperatorId id{model.dialect, node.op_type, *version};
  Result<OperatorInfo> info = find_operator(id);
  if (!info) return info.error();
  if (info->domain != node.domain)
    return Status(ErrorCode::kUnsupported, "operator " + node.op_type + " belongs to domain '" +
                                               domain_name(info->domain) + "', not '" +
                                               domain_name(node.domain) + "'");
  if (node.outputs.size() != 1)
    return Status(ErrorCode::kFormat, node.op_type + " gives one output, the node names " +
                                          std::to_string(node.outputs.size()));
  return NodeOperator{std::move(id), *std::move(info)};
}

}  // namespace windrow::internal
