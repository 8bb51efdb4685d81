#ifndef WINDROW_EXECUTE_RUN_PIECES_H_
#define WINDROW_EXECUTE_RUN_PIECES_H_

#include <cstddef>

#include "src/execute/outcome.h"
#include "src/execute/partition.h"
#include "src/kernels/registry.h"
#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// Bytes of scratch of run_pieces.
std::size_t pieces_scratch_bytes(const LoweredPlan& plan);

// Runs the counters of a range of a scatter's first loop, whose cells lie in a piece of the output
// each: copies some pieces of the start, scatters into them, goes on. Where the output is written
// past the caches the pieces are made in scratch.
void run_pieces(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                const Range& counters, std::byte* scratch, Outcome& outcome);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_PIECES_H_
