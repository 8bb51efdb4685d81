#include "src/operators/checked_indices.h"

#include <optional>

#include "src/execute/find_duplicates.h"
#include "src/execute/outcome.h"
#include "src/execute/scan_indices.h"
#include "src/operators/check_run.h"
#include "src/operators/known_run.h"
#include "src/operators/plan_state.h"

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

}  // namespace windrow::internal
