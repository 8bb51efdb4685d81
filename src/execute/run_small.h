#ifndef WINDROW_EXECUTE_RUN_SMALL_H_
#define WINDROW_EXECUTE_RUN_SMALL_H_

#include "src/execute/run_plan.h"
#include "src/kernels/registry.h"
#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// Runs a plan that has a SmallPlan, to the same bits as its loops would. These plans move a few
// hundred bytes in as many cycles, of which tasks, cursors and blocks that grow run by run would
// take several times more than the kernels. The calling thread does it all, in one block: after
// kBadIndex nothing has been written. Never kOutOfMemory.
RunOutcome run_small(const LoweredPlan& plan, const KernelTable& kernels,
                     const RunMemory& memory) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_SMALL_H_
