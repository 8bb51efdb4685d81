#ifndef WINDROW_OPERATORS_DENSE_COPIES_H_
#define WINDROW_OPERATORS_DENSE_COPIES_H_

#include <array>
#include <cstdint>
#include <span>

#include "src/execute/outcome.h"
#include "src/execute/run_memory.h"
#include "src/operators/plan_state.h"
#include "windrow/plan.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// The scratch of a plan's dense copies together, in bytes; each begins at a cache line.
std::int64_t dense_copy_bytes(const LoweredOperation& lowered);

// Makes the dense copies of a run in `scratch`, which has dense_copy_bytes() bytes, and replaces
// the views of the inputs by views of the copies. `interruption` may be null.
RunOutcome make_dense_copies(const LoweredOperation& lowered, const KernelTable& kernels,
                             std::byte* scratch, Threads* threads, Interruption* interruption,
                             std::span<TensorView> inputs);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_DENSE_COPIES_H_
