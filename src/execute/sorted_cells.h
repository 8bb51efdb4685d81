#ifndef WINDROW_EXECUTE_SORTED_CELLS_H_
#define WINDROW_EXECUTE_SORTED_CELLS_H_

#include <cstdint>
#include <span>

#include "src/access/access_map.h"
#include "src/execute/outcome.h"
#include "src/execute/run_memory.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Returns the error for the first value of the operation's ascending input that is smaller than the
// one before it. Returns success if there is no such value or no such input, or after an
// interruption. Serial.
Status check_order(const Operation& operation, std::span<const TensorView> inputs,
                   Interruption* interruption = nullptr);

// Samples a few points, once for each run, and returns whether their cells ascend. Returns false if
// an index is bad: the run finds it again. Not for tasks.
bool may_have_sorted_cells(const RunContext& run);

// Whether the points of a plan address their cells in ascending order, points outside last. Cheap
// for a random order, because a few points are sampled first. Returns false after a bad index or an
// interruption: the run finds either again.
bool has_sorted_cells(const RunContext& run);

// For sorted cells: the first point at or after `point` that addresses another cell than the point
// before it, so that tasks can meet there. Returns 0 for point 0.
std::int64_t next_cell_from(const RunContext& run, std::int64_t point);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_SORTED_CELLS_H_
