#ifndef WINDROW_RANGES_FACT_GRAPH_H_
#define WINDROW_RANGES_FACT_GRAPH_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "src/models/inferred_graph.h"
#include "src/ranges/ranges.h"

namespace windrow::internal {

// What is known of the values of one graph of a model, as far as its nodes have been gone through.
class FactGraph {
 public:
  // `around`: of the graph whose node has this one as a body and may be read from it; null: there
  // is none. Both must stay.
  FactGraph(const InferredGraph& inferred, FactGraph* around);

  const InferredGraph& inferred() const { return *inferred_; }
  const Graph& graph() const { return inferred_->graph(); }
  bool is_main() const { return is_main_; }

  // The values of which something has been said, in the order of their numbers.
  ValueFact& define(ValueNumber number);
  ValueFact& fact(ValueNumber number) { return facts_[number]; }
  // A value of this graph or around it; null if the name is empty, or that of no value so far.
  ValueFact* find(std::string_view name);
  // The value of this graph; kNoValue if the name is one of a graph around it, or of none.
  ValueNumber number(std::string_view name) const;

  // The node that gives the value as its first output; null if none does.
  const ModelNode* node_of(ValueNumber number) const;
  void set_node(ValueNumber number, std::size_t position);

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const InferredGraph* inferred_;
  FactGraph* around_;
  bool is_main_;
  std::size_t defined_ = 0;  // values before this number are visible
  std::vector<ValueFact> facts_;
  std::vector<std::size_t> nodes_;
};

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_FACT_GRAPH_H_
