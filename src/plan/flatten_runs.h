#ifndef WINDROW_PLAN_FLATTEN_RUNS_H_
#define WINDROW_PLAN_FLATTEN_RUNS_H_

#include <cstdint>
#include <optional>

#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// The two innermost loops of a plan as one. Returns nothing if the innermost loop has more than
// `most_points` points, or if the index tensors or the direct side do not continue at the same step
// from one of its runs to the next. Beyond its first run the pattern has another kBlockPoints
// offsets, because a block may begin at any point of a run.
std::optional<FlatRuns> flatten_runs(const LoweredPlan& plan, std::int64_t most_points);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_FLATTEN_RUNS_H_
