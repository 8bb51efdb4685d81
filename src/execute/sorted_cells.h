#ifndef WINDROW_EXECUTE_SORTED_CELLS_H_
#define WINDROW_EXECUTE_SORTED_CELLS_H_

#include <cstdint>

#include "src/execute/outcome.h"
#include "src/kernels/registry.h"
#include "src/plan/lowered_plan.h"
#include "windrow/threads.h"

namespace windrow::internal {

// Whether it looks so from a few points. A bad index is no order: the run finds it again.
bool may_have_sorted_cells(const LoweredPlan& plan, const KernelTable& kernels,
                           const RunMemory& memory);

// Whether the points of a plan address their cells in ascending order, those outside last. Cheap
// where the order is a random one: a few points are looked at first. `threads` may be null. A bad
// index, or an interruption, is no order: the run finds it again.
bool has_sorted_cells(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                      Threads* threads);

// Of sorted cells: the first point from `point` on that addresses another cell than the point
// before, where tasks can be cut; `point` itself where that is the first of all.
std::int64_t next_cell_from(const LoweredPlan& plan, const KernelTable& kernels,
                            const RunMemory& memory, std::int64_t point);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_SORTED_CELLS_H_
