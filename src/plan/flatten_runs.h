#ifndef WINDROW_PLAN_FLATTEN_RUNS_H_
#define WINDROW_PLAN_FLATTEN_RUNS_H_

#include <cstdint>
#include <optional>

#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// FlatRuns::pattern has so many offsets behind those of its first run: as many as are read at a
// time, which may begin at any point of a run.
inline constexpr std::int64_t kFlatPoints = 1024;

// The two innermost loops of a plan as one, where the inner one has so few points that a pass over
// them costs more than they do; nothing where it has more, or where index tensors or the direct
// side do not go on at the same step from one of its runs to the next.
std::optional<FlatRuns> flatten_runs(const LoweredPlan& plan, std::int64_t most_points);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_FLATTEN_RUNS_H_
