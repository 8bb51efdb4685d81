#include "src/models/node_operator.h"

#include <set>
#include <utility>

#include "src/models/find_in.h"
#include "src/models/text.h"

namespace windrow::internal {
namespace {

// Dialect and name of every operator.
const std::set<std::pair<std::string, std::string>>& known_operators() {
  static const auto* const known = [] {
    auto* const names = new std::set<std::pair<std::string, std::string>>();
    for (const OperatorInfo& info : list_operators()) names->emplace(info.dialect, info.name);
    return names;
  }();
  return *known;
}

// The same error with a label.
Status labelled(const Status& error, const char* label) {
  ErrorInfo info = error.info();
  info.constraint = label;
  return Status(std::move(info));
}

}  // namespace

std::string domain_name(const std::string& domain) { return domain.empty() ? "ai.onnx" : domain; }

Result<int> opset_of(const OpsetImports& imports, const std::string& domain) {
  if (const int* const opset = find_in(imports, domain); opset != nullptr) return *opset;
  return format_error("the model imports no opset of domain '", domain_name(domain), "'");
}

Result<std::optional<int>> NodeOperators::version_of(const ModelNode& node) const {
  if (node.version || dialect_ != "onnx") return node.version;
  const Result<int> opset = opset_of(opset_imports_, node.domain);
  if (!opset) return labelled(opset.error(), kOpsetImport);
  return std::optional<int>(*opset);
}

bool NodeOperators::has_operator(const std::string& name) const {
  return known_operators().contains({dialect_, name});
}

Result<const NodeOperator*> NodeOperators::find_version(const std::string& name,
                                                        std::optional<int> version) {
  const std::pair<std::string_view, std::optional<int>> key(name, version);
  if (const NodeOperator* const known = find_in(found_, key); known != nullptr) return known;
  // Most nodes of most models are other operators, for which find_operator would look for similar
  // names.
  if (!has_operator(name)) return unsupported_error("there is no operator ", name, " here");
  OperatorId id{dialect_, name, version};
  Result<OperatorInfo> info = find_operator(id);
  if (!info) return labelled(info.error(), kOperatorVersion);
  NodeOperator op{std::move(id), *std::move(info)};
  return &found_.emplace(std::pair(std::string_view(name), version), std::move(op)).first->second;
}

Result<const NodeOperator*> NodeOperators::find(const ModelNode& node) {
  if (!node.unsupported.empty()) return unsupported_error(node.unsupported);
  const Result<std::optional<int>> version = version_of(node);
  if (!version) return version.error();
  Result<const NodeOperator*> op = find_version(node.op_type, *version);
  if (!op) return op;
  const std::string& domain = (*op)->info.domain;
  if (domain != node.domain)
    return unsupported_error("operator ", node.op_type, " belongs to domain '", domain_name(domain),
                             "', not '", domain_name(node.domain), "'");
  if (!node.bodies.empty())
    return unsupported_error("attribute '", node.bodies.front().attribute, "' is a graph");
  if (node.outputs.size() != 1)
    return labelled(
        format_error(node.op_type, " gives one output, the node names ", node.outputs.size()),
        kOperatorOutputs);
  return op;
}

}  // namespace windrow::internal
