#ifndef WINDROW_RANGES_FACT_FINDER_H_
#define WINDROW_RANGES_FACT_FINDER_H_

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "src/models/inferred_model.h"
#include "src/ranges/fact_graph.h"
#include "src/ranges/production.h"

namespace windrow::internal {

// Finds the facts of the values of a model, node by node.
class FactFinder {
 public:
  // All must stay. `declared`: the inputs of the main graph, whose dimensions are called as the
  // extents are.
  FactFinder(const Model& model, const DeclaredInputs& declared, const RangeOptions& options,
             Extents& extents)
      : model_(model), declared_(declared), options_(options), extents_(extents) {}

  // A main graph or a function with the facts of what no node gives.
  std::unique_ptr<FactGraph> enter(InferredModel::Root& root);
  // Finds those of the outputs of a node, and of all nodes of its bodies. Nodes come in order.
  void find(FactGraph& graph, std::size_t node);
  // A body of a node that find() has gone through; it is the caller's from now on.
  std::unique_ptr<FactGraph> take_body(const InferredGraph& body);

  // An input of a node; that of a constant with its range, unless it is so large that it is read
  // only where indices come from it. An omitted input: nothing is known.
  const ValueFact& read(FactGraph& graph, std::size_t node, std::size_t input);
  const ValueFact& read(ValueFact* fact);
  static const ValueFact& given(FactGraph& graph, std::size_t node, std::size_t input);
  const ProducerRow* producer_of(const ModelNode& node) const;

 private:
  class Inputs;
  class Values;
  using Facts = std::vector<ValueFact>;

  void define_given(FactGraph& graph, std::span<const ValueFact> inputs);
  ValueFact declared_fact(const ValueInfo& declared, bool is_default) const;
  static ValueFact constant_fact(const Constant& constant);
  void find_wanted(FactGraph& graph);

  int version_of(const ModelNode& node) const;
  Facts find_constant(const ModelNode& node);
  Facts produce(FactGraph& graph, std::size_t node);
  void define_outputs(FactGraph& graph, std::size_t node, Facts found);

  FactGraph& run_body(FactGraph& graph, const InferredGraph& body, std::span<const ValueFact> in);
  Facts outputs_of(FactGraph& body);
  Facts find_bodies(FactGraph& graph, std::size_t node);
  Facts find_if(FactGraph& graph, std::size_t node);
  Facts find_loop(FactGraph& graph, std::size_t node);
  Facts find_scan(FactGraph& graph, std::size_t node);
  ValueFact either(const ValueFact& a, const ValueFact& b) const;

  // Intervals that may be looked at before every value has one only.
  static constexpr std::size_t kMostWork = std::size_t{1} << 22;
  // Nodes that may be computed again under the condition of a Where.
  static constexpr std::size_t kMostAgain = std::size_t{1} << 20;

  const Model& model_;
  DeclaredInputs declared_;
  const RangeOptions& options_;
  Extents& extents_;
  InferredModel::Root* root_ = nullptr;
  std::map<const InferredGraph*, std::unique_ptr<FactGraph>> bodies_;
  std::deque<Constant> constants_;  // those of Constant nodes
  std::size_t work_ = 0;
  std::size_t again_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_FACT_FINDER_H_
