#ifndef WINDROW_PLAN_CHOOSE_KERNEL_H_
#define WINDROW_PLAN_CHOOSE_KERNEL_H_

#include <cstdint>

#include "src/plan/lowered_plan.h"
#include "windrow/status.h"

namespace windrow::internal {

// Sets family and kernel of a plan whose rows are known. Errors: kUnsupported if there is no kernel
// for its reduction.
Status choose_kernel(LoweredPlan& plan);

// The query that finds the plan's kernel for rows of `row_bytes`, which may be shorter than the
// plan's own: a run may divide rows into slices.
KernelQuery kernel_query(const LoweredPlan& plan, std::int64_t row_bytes);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_CHOOSE_KERNEL_H_
