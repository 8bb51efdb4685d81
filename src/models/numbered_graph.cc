#include "src/models/numbered_graph.h"

#include <utility>

#include "src/models/text.h"

namespace windrow::internal {
bool NumberedGraph::is_defined(std::string_view name) const {
  const NumberedGraph* graph = this;
  while (graph != nullptr && graph->find(name) == kNoValue) graph = graph->scope_.around;
  return graph != nullptr;
}

Status NumberedGraph::define_given(const Graph& graph) {
  for (const auto& [name, tensor] : graph.constants) names_.add(name);
  for (const ValueInfo& input : graph.default_inputs) {
    if (names_.find(input.name) == kNoValue && !graph.opaque_constants.contains(input.name))
      return format_error("the input '", input.name, "' has no default");
  }
  for (const ValueInfo& input : graph.inputs) {
    if (names_.add(input.name) == kNoValue)
      return format_error("the input '", input.name, "' is defined a second time");
  }
  for (const auto& [name, constant] : graph.opaque_constants) names_.add(name);
  return {};
}

Status NumberedGraph::add_node(const ModelNode& node) {
  for (const std::string& input : node.inputs) {
    values_.push_back(input.empty() ? kNoValue : names_.find(input));
    if (values_.back() == kNoValue && !input.empty() && !is_defined(input))
      return format_error("input '", input, "' is not defined before the node");
  }
  ends_.push_back(values_.size());
  for (const NodeBody& body : node.bodies) {
    const bool is_closed = scope_.bodies_are_closed;
    Result<NumberedGraph> numbered = of(*body.graph, {is_closed ? nullptr : this, is_closed});
    if (!numbered) return numbered.error().with_context("'" + body.attribute + "'");
    bodies_.push_back(*std::move(numbered));
  }
  for (const std::string& output : node.outputs) {
    values_.push_back(output.empty() ? kNoValue : names_.add(output));
    if (values_.back() == kNoValue && !output.empty())
      return format_error("output '", output, "' is defined a second time");
  }
  ends_.push_back(values_.size());
  return {};
}

Result<NumberedGraph> NumberedGraph::of(const Graph& graph, const Scope& scope) {
  NumberedGraph numbered(scope);
  numbered.names_.reserve(graph.constants.size() + graph.inputs.size() + graph.nodes.size());
  numbered.ends_.reserve(2 * graph.nodes.size() + 1);
  if (Status status = numbered.define_given(graph); !status) return status;
  numbered.given_count_ = numbered.names_.size();
  constexpr std::size_t kAhead = 8;  // nodes whose outputs are fetched while one is added
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const bool has_later = i + kAhead < graph.nodes.size();
    if (has_later && !graph.nodes[i + kAhead].outputs.empty())
      numbered.names_.prefetch(graph.nodes[i + kAhead].outputs.front());
    const ModelNode& node = graph.nodes[i];
    if (Status status = numbered.add_node(node); !status)
      return status.with_context("node '" + node.name + "'");
  }
  for (const ValueInfo& output : graph.outputs) {
    if (!numbered.is_defined(output.name))
      return format_error("the output '", output.name, "' is not defined");
  }
  numbered.scope_.around = nullptr;
  return numbered;
}

Status check_graphs(const Model& model) {
  if (Status status = NumberedGraph::of(model, model).error(); !status) return status;
  for (const ModelFunction& function : model.functions) {
    Status status = NumberedGraph::of(model, function.graph).error();
    if (!status) return status.with_context("function '" + function.graph.name + "'");
  }
  return {};
}

}  // namespace windrow::internal
