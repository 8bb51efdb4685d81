#include <cstddef>
#include <string>
#include <utility>

#include "src/models/inferred_model.h"
#include "src/models/walk_model.h"
#include "src/ranges/ranges.h"

namespace windrow::internal {
namespace {

// Gives every extent of an input that is not fixed a name of its own.
void name_extents(std::vector<ValueInfo>& inputs, Extents& extents) {
  for (ValueInfo& input : inputs) {
    if (!input.dims) continue;
    for (std::size_t axis = 0; axis < input.dims->size(); ++axis) {
      Dim& dim = (*input.dims)[axis];
      if (dim.is_known()) continue;
      std::string name = input.name + ".shape[" + std::to_string(axis) + "]";
      extents.add(name, std::exchange(dim.symbol, name), dim.low, dim.high);
    }
  }
}

// Tells of every node what is known of its values.
class RangeWalk final : public InferredWalk {
 public:
  RangeWalk(const InferredModel& inferred, const std::function<void(const NodeFacts&)>& visit)
      : InferredWalk(inferred), visit_(visit) {}

  void visit(const NodePlace& place, std::size_t position) override {
    inputs_.assign(place.node.inputs.size(), {});
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const ValueInfo& proven = *graph().input(position, i).proven;
      inputs_[i].dtype = proven.dtype;
      inputs_[i].dims = proven.dims;
      inputs_[i].constant = graph().constant(place.node.inputs[i]);
    }
    const Result<const NodeOperator*> op = root().operators.find(place.node);
    visit_({place, op ? *op : nullptr, inputs_, {}});
  }

 private:
  const std::function<void(const NodeFacts&)>& visit_;
  std::vector<ValueFact> inputs_;
};

}  // namespace

Status find_ranges(const Model& model, const RangeOptions& options, Extents& extents,
                   const std::function<void(const NodeFacts&)>& visit) {
  Model renamed = model;
  name_extents(renamed.inputs, extents);
  const Result<InferredModel> inferred = InferredModel::of(renamed, options.infer);
  if (!inferred) return inferred.error();
  RangeWalk walk(*inferred, visit);
  walk_model(renamed, walk);
  return {};
}

}  // namespace windrow::internal
