#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/models/walk_model.h"
#include "src/ranges/fact_finder.h"
#include "src/ranges/floats.h"
#include "src/ranges/hidden_operators.h"
#include "src/ranges/ranges.h"
#include "windrow/nearest_name.h"
#include "windrow/printable.h"

namespace windrow::internal {
namespace {

// The inputs, where every extent that is not fixed has a name of its own.
std::vector<ValueInfo> with_own_extents(std::vector<ValueInfo> inputs, Extents& extents) {
  for (ValueInfo& input : inputs) {
    if (!input.dims) continue;
    for (std::size_t axis = 0; axis < input.dims->size(); ++axis) {
      Dim& dim = (*input.dims)[axis];
      if (dim.is_known()) continue;
      std::string name = extent_name(input.name, axis);
      const std::int64_t high = std::min(dim.high, Extents::most_of(*input.dims, axis));
      extents.add(name, std::exchange(dim.symbol, name), dim.low, high);
    }
  }
  return inputs;
}

bool can_be_promised(DType type) { return is_integer(type) || has_float_intervals(type); }

// The nearest name of an input that can be promised.
std::string input_hint(const Model& model, const std::string& name) {
  NearestName nearest(name);
  for (const auto* inputs : {&model.inputs, &model.default_inputs}) {
    for (const ValueInfo& input : *inputs) {
      if (can_be_promised(input.dtype)) nearest.consider(input.name);
    }
  }
  return nearest.hint();
}

Status check_assumptions(const Model& model, const RangeOptions& options) {
  for (const auto& [name, range] : options.assumed) {
    const auto is_it = [&name = name](const ValueInfo& input) {
      return input.name == name && can_be_promised(input.dtype);
    };
    const bool is_there =
        std::any_of(model.inputs.begin(), model.inputs.end(), is_it) ||
        std::any_of(model.default_inputs.begin(), model.default_inputs.end(), is_it);
    if (!is_there)
      return {ErrorCode::kInvalidArgument,
              "the assumption about '" + printable(name) +
                  "': the model has no input of integers or floats of that name" +
                  input_hint(model, name)};
    if (range.low > range.high)
      return {ErrorCode::kInvalidArgument, "the assumption about '" + name + "': the range " +
                                               std::to_string(range.low) + " to " +
                                               std::to_string(range.high) + " is empty"};
  }
  return {};
}

// Options that pass the model to infer_others with these inputs: their symbols are the extents'
// names, and default inputs, whose elements a run may replace, are inputs without elements.
InferOptions with_inputs(const InferOptions& options, const DeclaredInputs& declared) {
  if (!options.infer_others) return options;
  return {[&options, declared](const Model& model) {
    Model renamed = model;
    renamed.inputs = declared.inputs;
    for (const ValueInfo& input : declared.default_inputs) {
      renamed.constants.erase(input.name);
      renamed.opaque_constants.erase(input.name);
      renamed.inputs.push_back(input);
    }
    renamed.default_inputs.clear();
    hide_operators(renamed);
    return options.infer_others(renamed);
  }};
}

// The facts in one arithmetic: of the graphs that are entered, and of a node's values.
class Proof {
 public:
  Proof(const Model& model, const DeclaredInputs& declared, const RangeOptions& options,
        Extents& extents)
      : finder_(model, declared, options, extents) {}

  void enter(InferredModel::Root& root, const InferredGraph& graph) {
    graphs_.push_back(graphs_.empty() ? finder_.enter(root) : finder_.take_body(graph));
  }
  void leave() { graphs_.pop_back(); }

  NodeFacts find(const NodePlace& place, std::size_t position, const NodeOperator* op) {
    FactGraph& facts = *graphs_.back();
    if (graphs_.size() == 1) finder_.find(facts, position);
    inputs_.clear();
    for (std::size_t i = 0; i < place.node.inputs.size(); ++i)
      inputs_.push_back(&finder_.read(facts, position, i));
    outputs_.clear();
    for (const ValueNumber output : facts.inferred().numbers().outputs(position))
      outputs_.push_back(&finder_.read(output == kNoValue ? nullptr : &facts.fact(output)));
    return {place, op, inputs_, outputs_};
  }

 private:
  FactFinder finder_;
  std::vector<std::unique_ptr<FactGraph>> graphs_;
  std::vector<const ValueFact*> inputs_;
  std::vector<const ValueFact*> outputs_;
};

// Calls `visit` with every node and the facts of its inputs and outputs.
class RangeWalk final : public InferredWalk {
 public:
  RangeWalk(const InferredModel& inferred, std::deque<Proof>& proofs,
            const std::function<void(std::span<const NodeFacts>)>& visit)
      : InferredWalk(inferred), proofs_(proofs), visit_(visit) {}

  void enter(const std::string& path, const Graph& entered) override {
    InferredWalk::enter(path, entered);
    for (Proof& proof : proofs_) proof.enter(root(), graph());
  }

  void visit(const NodePlace& place, std::size_t position) override {
    const Result<const NodeOperator*> op = root().operators.find(place.node);
    std::vector<NodeFacts> facts;
    for (Proof& proof : proofs_) {
      facts.push_back(proof.find(place, position, op ? *op : nullptr));
      facts.back().opset_imports = &root().operators.opset_imports();
      if (!op) facts.back().no_operator = op.error();
    }
    visit_(facts);
  }

  void leave() override {
    for (Proof& proof : proofs_) proof.leave();
    InferredWalk::leave();
  }

 private:
  std::deque<Proof>& proofs_;
  const std::function<void(std::span<const NodeFacts>)>& visit_;
};

}  // namespace

Status find_ranges(const Model& model, const RangeOptions& options,
                   std::span<Extents* const> proofs,
                   const std::function<void(std::span<const NodeFacts>)>& visit) {
  if (Status status = check_assumptions(model, options); !status) return status;
  std::vector<ValueInfo> inputs;
  std::vector<ValueInfo> default_inputs;
  for (Extents* const extents : proofs) {
    inputs = with_own_extents(model.inputs, *extents);
    default_inputs = with_own_extents(model.default_inputs, *extents);
  }
  const DeclaredInputs declared{inputs, default_inputs};
  const Result<InferredModel> inferred =
      InferredModel::of(model, declared, with_inputs(options.infer, declared));
  if (!inferred) return inferred.error();
  if (options.take_inferred) options.take_inferred(inferred->findings(), inferred->notes());
  std::deque<Proof> found;
  for (Extents* const extents : proofs) found.emplace_back(model, declared, options, *extents);
  RangeWalk walk(*inferred, found, visit);
  walk_model(model, walk);
  return {};
}

Status find_ranges(const Model& model, const RangeOptions& options, Extents& extents,
                   const std::function<void(const NodeFacts&)>& visit) {
  Extents* const proof = &extents;
  return find_ranges(model, options, std::span(&proof, 1),
                     [&visit](std::span<const NodeFacts> facts) { visit(facts.front()); });
}

}  // namespace windrow::internal
