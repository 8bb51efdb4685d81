#ifndef WINDROW_EXECUTE_RUN_CONSTANT_ROWS_H_
#define WINDROW_EXECUTE_RUN_CONSTANT_ROWS_H_

#include <cstdint>

#include "src/execute/outcome.h"
#include "src/execute/partition.h"
#include "src/kernels/registry.h"
#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// Whether the index rows of a plan with `constant_rows` look constant: some of them, spread over
// all, are.
bool has_constant_rows(const LoweredPlan& plan, const KernelTable& kernels,
                       const RunMemory& memory);

// Runs the lanes of a range for the points of `rows` of plan.constant_rows, in order: index rows
// that hold one index in all of these lanes as whole rows of cells, others lane by lane.
void run_constant_rows(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                       const Range& lanes, const Range& rows, Outcome& outcome);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_CONSTANT_ROWS_H_
