#include "src/models/check_graph.h"

#include <set>
#include <string>
#include <string_view>

namespace windrow::internal {
namespace {

using Names = std::set<std::string_view>;

Status format_error(std::string what) { return {ErrorCode::kFormat, std::move(what)}; }

Status check_node(const ModelNode& node, Names& defined) {
  for (const std::string& input : node.inputs) {
    if (!input.empty() && !defined.contains(input))
      return format_error("input '" + input + "' is defined nowhere before the node");
  }
  for (const std::string& output : node.outputs) {
    if (!output.empty() && !defined.insert(output).second)
      return format_error("output '" + output + "' is defined a second time");
  }
  return {};
}

}  // namespace

Status check_graph(const Model& model) {
  Names defined;
  for (const auto& [name, tensor] : model.constants) defined.insert(name);
  for (const ValueInfo& input : model.default_inputs) {
    if (!defined.contains(input.name))
      return format_error("the input '" + input.name + "' has no default");
  }
  for (const ValueInfo& input : model.inputs) {
    if (!defined.insert(input.name).second)
      return format_error("the input '" + input.name + "' is defined a second time");
  }
  for (const ModelNode& node : model.nodes) {
    if (Status status = check_node(node, defined); !status)
      return status.with_context("node '" + node.name + "'");
  }
  for (const ValueInfo& output : model.outputs) {
    if (!defined.contains(output.name))
      return format_error("the output '" + output.name + "' is not defined");
  }
  return {};
}

}  // namespace windrow::internal
