#ifndef WINDROW_EXECUTE_COPY_START_H_
#define WINDROW_EXECUTE_COPY_START_H_

#include "src/execute/partition.h"
#include "src/execute/run_plan.h"
#include "src/kernels/registry.h"
#include "src/plan/lowered_plan.h"
#include "windrow/threads.h"

namespace windrow::internal {

// Whether a run that has a start copies it piece by piece, each piece just before its updates.
bool copies_in_pieces(const LoweredPlan& plan, const RunMemory& memory);

// Whether the packed tiles of a run that has a start hold every cell of the output.
bool fills_all_cells(const LoweredPlan& plan, const RunMemory& memory);

// Copies the bytes [range.low, range.high) of the start; `stream`: past the caches.
void copy_start(const KernelTable& kernels, const RunMemory& memory, bool stream,
                const Range& range);

// Whether a copy as a whole is written past the caches.
bool streams_start(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory);

// Copies all of them. `threads` may be null.
void copy_whole_start(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                      Threads* threads);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_COPY_START_H_
