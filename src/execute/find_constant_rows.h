#ifndef WINDROW_EXECUTE_FIND_CONSTANT_ROWS_H_
#define WINDROW_EXECUTE_FIND_CONSTANT_ROWS_H_

#include <cstddef>

#include "src/execute/run_plan.h"
#include "src/kernels/registry.h"
#include "src/plan/lowered_plan.h"
#include "windrow/threads.h"

namespace windrow::internal {

// Whether some index rows of a plan with `constant_rows`, spread over all, hold one index only
// each.
bool may_have_constant_rows(const LoweredPlan& plan, const KernelTable& kernels,
                            const RunMemory& memory);

// Whether every index row does; these indices are put into `indices` then, which has
// constant_rows_bytes(). `threads` may be null. False
// after an interruption, which the run sees again.
bool find_constant_rows(const LoweredPlan& plan, const KernelTable& kernels,
                        const RunMemory& memory, Threads* threads, std::byte* indices);

// 0 for a plan without them.
std::size_t constant_rows_bytes(const LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_FIND_CONSTANT_ROWS_H_
