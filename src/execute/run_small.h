#ifndef WINDROW_EXECUTE_RUN_SMALL_H_
#define WINDROW_EXECUTE_RUN_SMALL_H_

#include "src/execute/outcome.h"
#include "src/execute/run_memory.h"
#include "src/kernels/registry.h"
#include "src/plan/lower.h"

namespace windrow::internal {

// Runs a plan of a few points, with the same result, bit for bit, as its loops would give. Tasks,
// cursors and blocks that grow run by run would take several times as many instructions as the
// kernels. The calling thread does all the work, in one block: after kBadIndex nothing has been
// written. Never returns kOutOfMemory.
RunOutcome run_small(const SmallBlock& way, const LoweredPlan& plan, const KernelTable& kernels,
                     const RunMemory& memory) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_SMALL_H_
