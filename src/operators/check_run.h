#ifndef WINDROW_OPERATORS_CHECK_RUN_H_
#define WINDROW_OPERATORS_CHECK_RUN_H_

#include <span>

#include "src/operators/plan_state.h"
#include "windrow/plan.h"
#include "windrow/status.h"

namespace windrow::internal {

// Same as Plan::bad_indices.
Result<BadIndices> list_bad_indices(const PlanState& state, std::span<const TensorView> inputs,
                                    const RunOptions& options);

// The errors of a failed run, in a unit of their own: small runs are slower if the code of these
// messages is compiled into theirs.

Status out_of_memory(const PlanState& state);
Status interrupted(const PlanState& state);
// For indices that were legal when they were checked again.
Status indices_changed(const PlanState& state);
// For a plan none of whose ways serves the run, which lowering rules out.
Status no_way(const PlanState& state);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_CHECK_RUN_H_
