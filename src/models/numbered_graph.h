#ifndef WINDROW_MODELS_NUMBERED_GRAPH_H_
#define WINDROW_MODELS_NUMBERED_GRAPH_H_

#include <cstddef>
#include <span>
#include <vector>

#include "src/models/value_names.h"
#include "windrow/models.h"

namespace windrow::internal {

// A graph with numbers for the names of its values, so that a walk over the nodes does not look up
// names. Constants come first, in the order of Graph::constants, then inputs, opaque constants, and
// what nodes define, each in its order. The graph must not change.
class NumberedGraph {
 public:
  // Numbers the main graph of a model or that of a function. Checks that every value is defined
  // once and before the nodes that use it, and that outputs are defined, also in the bodies of
  // nodes. Bodies see the values around them, except in models of OpenVINO. Errors: kFormat, with
  // the node and the value.
  static Result<NumberedGraph> of(const Model& model, const Graph& graph) {
    return of(graph, Scope{nullptr, model.dialect == "openvino"});
  }

  std::size_t value_count() const noexcept { return names_.size(); }
  // The values that no node defines: constants, inputs, opaque constants.
  std::size_t given_count() const noexcept { return given_count_; }
  std::string_view name(ValueNumber value) const { return names_[value]; }
  // kNoValue if the graph has no such value.
  ValueNumber find(std::string_view name) const { return names_.find(name); }

  // The values of a node by its position; kNoValue where the node omits one, or where a node of a
  // body reads a value of a graph around it.
  std::span<const ValueNumber> inputs(std::size_t node) const { return list(2 * node); }
  std::span<const ValueNumber> outputs(std::size_t node) const { return list(2 * node + 1); }

  // The bodies of all nodes, in the order of the nodes and of each one's bodies.
  std::span<const NumberedGraph> bodies() const { return bodies_; }

 private:
  // What a graph sees of the graphs around it.
  struct Scope {
    // The graph with the node whose body this is, as far as it is numbered; null if the graph sees
    // none.
    const NumberedGraph* around = nullptr;
    bool bodies_are_closed = false;  // whether bodies see nothing around them
  };

  explicit NumberedGraph(const Scope& scope) : scope_(scope) {}

  static Result<NumberedGraph> of(const Graph& graph, const Scope& scope);
  Status define_given(const Graph& graph);
  Status add_node(const ModelNode& node);
  // Whether the name is defined in this graph or in one around it.
  bool is_defined(std::string_view name) const;
  std::span<const ValueNumber> list(std::size_t index) const {
    return {values_.data() + ends_[index], values_.data() + ends_[index + 1]};
  }

  Scope scope_;  // while the graph is made
  ValueNames names_;
  std::size_t given_count_ = 0;
  std::vector<NumberedGraph> bodies_;
  std::vector<ValueNumber> values_;  // inputs and outputs of one node after another
  std::vector<std::size_t> ends_ = {0};
};

// Checks the main graph of a model, all bodies and functions, as NumberedGraph::of() does.
Status check_graphs(const Model& model);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_NUMBERED_GRAPH_H_
