#include "src/models/numbered_graph.h"

#include <utility>

namespace windrow::internal {
namespace {

Status format_error(std::string what) { return {ErrorCode::kFormat, std::move(what)}; }

}  // namespace

Status NumberedGraph::define_given(const Model& model) {
  for (const auto& [name, tensor] : model.constants) names_.add(name);
  for (const ValueInfo& input : model.default_inputs) {
    if (names_.find(input.name) == kNoValue)
      return format_error("the input '" + input.name + "' has no default");
  }
  for (const ValueInfo& input : model.inputs) {
    if (names_.add(input.name) == kNoValue)
      return format_error("the input '" + input.name + "' is defined a second time");
  }
  return {};
}

Status NumberedGraph::add_node(const ModelNode& node) {
  for (const std::string& input : node.inputs) {
    values_.push_back(input.empty() ? kNoValue : names_.find(input));
    if (values_.back() == kNoValue && !input.empty())
      return format_error("input '" + input + "' is defined nowhere before the node");
  }
  ends_.push_back(values_.size());
  for (const std::string& output : node.outputs) {
    values_.push_back(output.empty() ? kNoValue : names_.add(output));
    if (values_.back() == kNoValue && !output.empty())
      return format_error("output '" + output + "' is defined a second time");
  }
  ends_.push_back(values_.size());
  return {};
}

Result<NumberedGraph> NumberedGraph::of(const Model& model) {
  NumberedGraph graph;
  graph.names_.reserve(model.constants.size() + model.inputs.size() + model.nodes.size());
  graph.ends_.reserve(2 * model.nodes.size() + 1);
  if (Status status = graph.define_given(model); !status) return status;
  constexpr std::size_t kAhead = 8;  // nodes whose outputs are fetched while one is added
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const bool has_later = i + kAhead < model.nodes.size();
    if (has_later && !model.nodes[i + kAhead].outputs.empty())
      graph.names_.prefetch(model.nodes[i + kAhead].outputs.front());
    const ModelNode& node = model.nodes[i];
    if (Status status = graph.add_node(node); !status)
      return status.with_context("node '" + node.name + "'");
  }
  for (const ValueInfo& output : model.outputs) {
    if (graph.find(output.name) == kNoValue)
      return format_error("the output '" + output.name + "' is not defined");
  }
  return graph;
}

}  // namespace windrow::internal
