#ifndef WINDROW_EXECUTE_RUN_FLAT_TAKES_H_
#define WINDROW_EXECUTE_RUN_FLAT_TAKES_H_

#include "src/execute/outcome.h"
#include "src/execute/partition.h"
#include "src/kernels/registry.h"
#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// Runs the points of a range of a plan that takes elements straight from their indices along flat
// runs: many short runs, each with a table of its own, as a long one.
void run_flat_takes(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                    const Range& points, Outcome& outcome);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_FLAT_TAKES_H_
