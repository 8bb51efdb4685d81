#ifndef WINDROW_RANGES_FACT_FINDER_H_
#define WINDROW_RANGES_FACT_FINDER_H_

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/models/inferred_model.h"
#include "src/ranges/production.h"
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

// Finds the facts of the values of a model, node by node.
class FactFinder {
 public:
  // All arguments must outlive the object. `declared` are the inputs of the main graph, whose
  // dimensions have the names of extents.
  FactFinder(const Model& model, const DeclaredInputs& declared, const RangeOptions& options,
             Extents& extents)
      : model_(model), declared_(declared), options_(options), extents_(extents) {}

  // A main graph or a function with the facts of values that no node computes.
  std::unique_ptr<FactGraph> enter(InferredModel::Root& root);
  // Finds the facts of the outputs of a node and of all nodes in its bodies. Must be called for the
  // nodes in their order.
  void find(FactGraph& graph, std::size_t node);
  // The facts of a body of a node that find() was called for, which pass to the caller.
  std::unique_ptr<FactGraph> take_body(const InferredGraph& body);

  // What is known of an input of a node. The range of a constant is read now, unless the constant
  // is large and no indices come from it. Nothing is known of an omitted input.
  const ValueFact& read(FactGraph& graph, std::size_t node, std::size_t input);
  const ValueFact& read(ValueFact* fact);
  const ProducerRow* producer_of(const ModelNode& node) const;

  // The values of a graph as far as they are known, and the nodes that compute them.
  class Values {
   public:
    // Both must outlive the object.
    Values(FactFinder& finder, FactGraph& graph) : finder_(finder), graph_(graph) {}

    std::string_view dialect() const { return finder_.model_.dialect; }
    // The node of this graph whose first output is the value; null if there is none.
    const ModelNode* node_of(const std::string& value) const;
    const ProducerRow* producer_of(const ModelNode& node) const {
      return finder_.producer_of(node);
    }
    int version_of(const ModelNode& node) const { return finder_.version_of(node); }
    // Whether one more node may be computed again: a model may have very many conditions.
    bool may_compute() { return ++finder_.again_ <= kMostAgain; }
    // A constant's fact has its range.
    const ValueFact& fact_of(const std::string& value) { return finder_.read(graph_.find(value)); }

   private:
    FactFinder& finder_;
    FactGraph& graph_;
  };

 private:
  class Inputs;
  using Facts = std::vector<ValueFact>;

  // An input of a node; null if nothing is known of it.
  static ValueFact* input(FactGraph& graph, std::size_t node, std::size_t input);
  void define_given(FactGraph& graph, std::span<const ValueFact> inputs);
  ValueFact declared_fact(const ValueInfo& declared, bool is_default) const;
  // Whether the runtime of the proof may read a constant that has no elements as another value.
  bool misreads_empty_constants() const;
  ValueFact constant_fact(const Constant& constant) const;
  void find_wanted(FactGraph& graph);

  int version_of(const ModelNode& node) const;
  Facts find_constant(const ModelNode& node);
  Facts produce(FactGraph& graph, std::size_t node);
  void define_outputs(FactGraph& graph, std::size_t node, Facts found);

  FactGraph& run_body(FactGraph& graph, const InferredGraph& body, std::span<const ValueFact> in);
  Facts run_iterations(FactGraph& graph, const InferredGraph& body, Facts& in,
                       std::span<ValueFact> states, std::size_t first_output);
  Facts outputs_of(FactGraph& body);
  Facts find_bodies(FactGraph& graph, std::size_t node);
  Facts find_if(FactGraph& graph, std::size_t node);
  void give_declared_rank(const Graph& body, ValueFact& iteration);
  Facts find_loop(FactGraph& graph, std::size_t node);
  bool may_have_no_trip(FactGraph& graph, std::size_t node);
  Facts find_scan(FactGraph& graph, std::size_t node);
  ValueFact either(const ValueFact& a, const ValueFact& b) const;
  ValueFact carried(const ValueFact& first, const ValueFact& later,
                    const ValueFact& invariant) const;

  // The number of intervals that are read before every value is reduced to one interval.
  static constexpr std::size_t kMostWork = std::size_t{1} << 22;
  // The number of nodes that may be computed again under the condition of a Where.
  static constexpr std::size_t kMostAgain = std::size_t{1} << 20;
  // How often the body of a loop is run until what holds in every iteration is found, and how deep
  // such a loop may lie in others.
  static constexpr int kMostRounds = 5;
  static constexpr int kMostRepeatedNesting = 2;

  const Model& model_;
  DeclaredInputs declared_;
  const RangeOptions& options_;
  Extents& extents_;
  InferredModel::Root* root_ = nullptr;
  std::map<const InferredGraph*, std::unique_ptr<FactGraph>> bodies_;
  std::deque<Constant> constants_;  // the values of Constant nodes
  std::size_t work_ = 0;
  std::size_t again_ = 0;
  int nesting_ = 0;  // of loops around the node whose facts are found
};

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_FACT_FINDER_H_
