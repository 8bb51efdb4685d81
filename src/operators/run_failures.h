#ifndef WINDROW_OPERATORS_RUN_FAILURES_H_
#define WINDROW_OPERATORS_RUN_FAILURES_H_

#include "src/operators/plan_state.h"
#include "windrow/status.h"

// The errors of a failed run, in a unit of their own: small runs are slower if the code of these
// messages is compiled into theirs.
namespace windrow::internal {

Status out_of_memory(const PlanState& state);
Status interrupted(const PlanState& state);
// For indices that were legal when they were checked again.
Status indices_changed(const PlanState& state);
// For a plan none of whose ways serves the run, which lowering rules out.
Status no_way(const PlanState& state);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_RUN_FAILURES_H_
