#ifndef WINDROW_OPERATORS_RUN_FAILURES_H_
#define WINDROW_OPERATORS_RUN_FAILURES_H_

#include "src/operators/plan_state.h"
#include "windrow/status.h"

// What a failed run says, in a unit of its own: the text is not built into the code of small runs,
// which are slower with it in their way.
namespace windrow::internal {

Status out_of_memory(const PlanState& state);
Status interrupted(const PlanState& state);
// The indices were good when they were looked at again.
Status indices_changed(const PlanState& state);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_RUN_FAILURES_H_
