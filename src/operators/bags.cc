#include "src/operators/bags.h"

#include <array>
#include <utility>

#include "src/operators/checked_indices.h"
#include "windrow/array.h"

namespace windrow::internal {

Result<BagInputs> read_bags(const Plan& plan, std::span<const TensorView> given,
                            const RunOptions& run) {
  BagInputs inputs;
  auto starts = bag_starts(plan, given, run);
  if (!starts) return starts.error();
  inputs.starts = *std::move(starts);
  auto ids = copy_of_input(plan, 1, given[1]);
  if (!ids) return ids.error();
  inputs.ids = *std::move(ids);
  auto weights = copy_of_input(plan, 3, given[3]);
  if (!weights) return weights.error();
  inputs.weights = *std::move(weights);
  const std::array<TensorView, 4> own = {TensorView(), inputs.ids, given[2], inputs.weights};
  if (Status status = check_indices(plan, own, run); !status) return status;
  return inputs;
}

Status pool_rows(array::EmbeddingBag op, const BagRows& bags, const CallOptions& options,
                 const RunOptions& run, const MutableTensorView& out) {
  op.include_last_offset = true;
  // An id that is left out has the place -1.
  CallOptions local;
  local.out_of_range = OutOfRange::kSkip;
  local.negative = NegativeIndex::kOutOfRange;
  local.kernels = options.kernels;
  const std::array<TensorView, 4> inputs = {bags.rows, bags.places, bags.starts, bags.weights};
  const auto plan =
      compile(op, {inputs[0].spec(), inputs[1].spec(), inputs[2].spec(), inputs[3].spec()}, local);
  if (!plan) return plan.error();
  return plan->run(inputs, out, run);
}

}  // namespace windrow::internal
