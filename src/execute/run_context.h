#ifndef WINDROW_EXECUTE_RUN_CONTEXT_H_
#define WINDROW_EXECUTE_RUN_CONTEXT_H_

#include "src/execute/outcome.h"
#include "src/execute/run_memory.h"
#include "src/kernels/registry.h"
#include "src/plan/lowered_plan.h"
#include "windrow/threads.h"

namespace windrow::internal {

// What all units of a run share. Everything that it refers to outlives them.
struct RunContext {
  const LoweredPlan& plan;
  const KernelTable& kernels;
  const RunMemory& memory;
  Threads* threads;  // null: the calling thread alone
  Outcome& outcome;

  // The cell of the indirect tensor that has offset 0.
  std::byte* cells() const { return memory.indirect + plan.indirect_first; }
  // The kernel for blocks; null for strings.
  BlockFunction kernel() const { return kernels.block(plan.kernel); }
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_CONTEXT_H_
