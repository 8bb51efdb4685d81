#include <map>
#include <string>
#include <vector>

#include "src/models/host_ops/convert.h"
#include "src/models/host_ops/host_ops.h"
#include "src/models/node_operator.h"

namespace windrow {
namespace {

// The number of nodes that a message names.
constexpr std::size_t kShown = 5;

// The text before ", nodes ..." for a node that cannot run here.
std::string describe(const Model& model, const internal::NodeOperators& operators,
                     const ModelNode& node) {
  if (model.dialect != "onnx") {
    if (!node.unsupported.empty()) return node.op_type + " (" + node.unsupported + ")";
    return node.op_type + (node.version ? " (version " + std::to_string(*node.version) + ")" : "");
  }
  const std::string text = node.op_type + " (domain " + internal::domain_name(node.domain);
  if (!node.unsupported.empty()) return text + ": " + node.unsupported + ")";
  const Result<int> opset = internal::opset_of(model, node.domain);
  if (!opset) return text + ": " + opset.error().message() + ")";
  if (!operators.has_operator(node.op_type)) return text + ")";
  const Result<OperatorInfo> newest = find_operator({model.dialect, node.op_type, std::nullopt});
  const bool too_old = newest && newest->domain == node.domain;
  return text + (too_old ? ", opset " + std::to_string(*opset) + ")" : ")");
}

// The nodes of one entry.
struct Nodes {
  std::vector<std::string> first;  // at most kShown
  std::size_t count = 0;
};

std::string list_nodes(const Nodes& nodes) {
  std::string text = nodes.count == 1 ? ", node " : ", nodes ";
  for (std::size_t i = 0; i < nodes.first.size(); ++i)
    text += (i == 0 ? "" : ", ") + nodes.first[i];
  if (nodes.count > kShown) text += " and " + std::to_string(nodes.count - kShown) + " more";
  return text;
}

}  // namespace

std::vector<std::string> Model::unsupported() const {
  internal::NodeOperators operators(*this);
  std::map<std::string, Nodes> nodes_of;
  for (const ModelNode& node : nodes) {
    if (internal::is_constant(node) || internal::is_identity(node) ||
        internal::is_convert(*this, node))
      continue;
    const Result<const internal::NodeOperator*> found = operators.find(node);
    const bool no_version = dialect == "onnx" && !opset_imports.contains(node.domain);
    if (found || (found.error().code() != ErrorCode::kUnsupported && !no_version)) continue;
    Nodes& same = nodes_of[describe(*this, operators, node)];
    if (same.count++ < kShown)
      same.first.push_back(node.origin.empty() ? node.name : node.name + " (" + node.origin + ")");
  }
  std::vector<std::string> result;
  result.reserve(nodes_of.size());
  for (const auto& [text, same] : nodes_of) result.push_back(text + list_nodes(same));
  return result;
}

}  // namespace windrow
