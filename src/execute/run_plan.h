#ifndef WINDROW_EXECUTE_RUN_PLAN_H_
#define WINDROW_EXECUTE_RUN_PLAN_H_

#include <cstddef>
#include <span>

#include "src/execute/outcome.h"
#include "src/execute/run_memory.h"
#include "src/kernels/registry.h"
#include "src/plan/lower.h"
#include "windrow/threads.h"

namespace windrow::internal {

// The largest number of bytes of scratch that a run on this number of threads uses.
std::size_t scratch_bytes(const LoweredPlan& plan, int threads) noexcept;

// Runs a lowered plan. `threads` may be null; the result does not depend on it. `scratch` has
// scratch_bytes() bytes; if it is empty, the run allocates its own.
RunOutcome run_plan(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                    Threads* threads, std::span<std::byte> scratch) noexcept;

// Sets the members of a description that are about ways and threads, for a plan with elements.
void describe_ways(const LoweredPlan& plan, PlanDescription& description);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_PLAN_H_
