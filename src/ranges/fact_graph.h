#ifndef WINDROW_RANGES_FACT_GRAPH_H_
#define WINDROW_RANGES_FACT_GRAPH_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "src/models/inferred_graph.h"
#include "src/ranges/ranges.h"

namespace windrow::internal {

// What is known of the values of one graph of a model, as far as its nodes have been visited.
class FactGraph {
 public:
  // `around` is the graph around this one, if this is a body that may read its values; else null.
  // Both must outlive the object.
  FactGraph(const InferredGraph& inferred, FactGraph* around);

  const InferredGraph& inferred() const { return *inferred_; }
  const Graph& graph() const { return inferred_->graph(); }
  bool is_main() const { return is_main_; }

  // Makes a value visible to find() and returns its fact. Called in the order of the numbers.
  ValueFact& define(ValueNumber number);
  ValueFact& fact(ValueNumber number) { return facts_[number]; }
  // The fact of a value of this graph or of one around it; null if no visible value has the name.
  ValueFact* find(std::string_view name);
  // The number of a visible value of this graph; kNoValue if it has none of that name.
  ValueNumber number(std::string_view name) const;

  // The node whose first output is the value; null if there is none.
  const ModelNode* node_of(ValueNumber number) const { return nodes_[number]; }
  void set_node(ValueNumber number, const ModelNode& node) { nodes_[number] = &node; }

 private:
  const InferredGraph* inferred_;
  FactGraph* around_;
  bool is_main_;
  std::size_t defined_ = 0;  // values before this number are visible
  std::vector<ValueFact> facts_;
  std::vector<const ModelNode*> nodes_;
};

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_FACT_GRAPH_H_
