#include "src/operators/checked_indices.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "src/execute/find_duplicates.h"
#include "src/execute/outcome.h"
#include "src/execute/scan_indices.h"
#include "src/operators/check_run.h"
#include "src/operators/known_run.h"
#include "src/operators/plan_state.h"
#include "src/pooling/bag_bounds.h"

namespace windrow::internal {

Status check_indices(const Plan& plan, std::span<const TensorView> inputs,
                     const RunOptions& options) {
  const PlanState& state = PlanAccess::state(plan);
  std::optional<Interruption> interruption;
  if (options.interrupt != nullptr) interruption.emplace(*options.interrupt);
  Interruption* const asked = interruption ? &*interruption : nullptr;
  Status status = describe_illegal_indices(state.operation, inputs, asked, options.listed_indices);
  if (status && state.operation.refuse_duplicates)
    status = find_duplicates(state.operation, inputs, asked);
  if (interruption && interruption->was_requested()) return interrupted(state);
  return status;
}

Result<Tensor> copy_of_input(const Plan& plan, std::size_t input, const TensorView& view) {
  const PlanState& state = PlanAccess::state(plan);
  if (Status status = check_input(state, input, view); !status) return status;
  if (view.dtype == DType::kAbsent) return Tensor();
  auto copy = Tensor::copy_of(view);
  if (!copy) return out_of_memory(state);
  return copy;
}

Status check_output_of(const Plan& plan, const MutableTensorView& out) {
  return check_output(PlanAccess::state(plan), out);
}

Result<Tensor> bag_starts(const Plan& plan, std::span<const TensorView> inputs,
                          const RunOptions& options) {
  const PlanState& state = PlanAccess::state(plan);
  const int bounds_input = state.operation.bags->bounds_input;
  if (bounds_input >= 0) {
    const auto input = static_cast<std::size_t>(bounds_input);
    if (Status status = check_input(state, input, inputs[input]); !status) return status;
  }
  const auto bounds = BagBounds::read(state.operation, inputs, options.listed_indices);
  if (!bounds)
    return bounds.error().code() == ErrorCode::kOutOfMemory ? out_of_memory(state) : bounds.error();
  auto starts = Tensor::allocate(DType::kInt64, {bounds->bags() + 1});
  if (!starts) return out_of_memory(state);
  auto* const begins = static_cast<std::int64_t*>(starts->data());
  for (std::int64_t bag = 0; bag <= bounds->bags(); ++bag) begins[bag] = bounds->begin(bag);
  return starts;
}

}  // namespace windrow::internal
