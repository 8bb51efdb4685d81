#ifndef WINDROW_EXECUTE_RUN_TAKES_H_
#define WINDROW_EXECUTE_RUN_TAKES_H_

#include "src/execute/outcome.h"
#include "src/execute/partition.h"
#include "src/kernels/registry.h"
#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// Runs the points of a range of a plan with a `take` kernel, straight from their indices.
void run_takes(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
               const Range& points, Outcome& outcome);

// The plan's `take` kernel in that table; null: it has none.
TakeFunction find_take(const LoweredPlan& plan, const KernelTable& kernels);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_TAKES_H_
