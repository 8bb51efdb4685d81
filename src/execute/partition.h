#ifndef WINDROW_EXECUTE_PARTITION_H_
#define WINDROW_EXECUTE_PARTITION_H_

#include <cstddef>
#include <cstdint>

#include "src/plan/lowered_plan.h"
#include "windrow/threads.h"

namespace windrow::internal {

// How the points of a plan are cut into tasks that may run at the same time.
enum class Cut : std::uint8_t {
  kPoints,  // ranges of the addressed points
  kShared,  // ranges of the shared points
  kLoop,    // ranges of one loop of the addressed nest; scatters need it injective
  kRow,     // slices of every row
  kCells,   // ranges of the cells
};

// Law: no two tasks write the same cell, and within a task the updates of a cell keep their order;
// so the result does not depend on the number of tasks.
struct Partition {
  Cut cut = Cut::kPoints;
  int tasks = 1;
  int loop = -1;  // kLoop
};

// The most tasks that the work of a plan is worth on a number of threads.
int most_tasks(const LoweredPlan& plan, int threads);

// The number of tasks that `total` units of work are worth, at least `least` units each. `threads`
// may be null: then 1.
int useful_tasks(std::int64_t total, std::int64_t least, const Threads* threads);

// Slices of every row. Each has at least as many bytes as a cache line or a short row.
Partition cut_rows(const LoweredPlan& plan, int tasks);

// Task number `task` of `tasks` of [0, total): contiguous, in order; sizes differ by at most one
// `grain`.
struct Range {
  std::int64_t low = 0;
  std::int64_t high = 0;
};
Range task_range(std::int64_t total, int tasks, int task, std::int64_t grain = 1);

// The same of counters of which a cache line holds `per_line`: tasks meet where the lines of the
// written side do. `written`: the place of the first counter's cell.
Range line_range(std::int64_t total, int tasks, int task, std::int64_t per_line,
                 const std::byte* written);

// Cut::kLoop: how many counters of the loop a cache line of the written side holds, 1 at least.
std::int64_t loop_grain(const LoweredPlan& plan, int loop);

// Cut::kRow: the bytes of every row that are the task's. `rows`: the side that is written; slices
// of kLeastSliceBytes and more meet where its cache lines do.
Range row_slice(const LoweredPlan& plan, const std::byte* rows, int tasks, int task);

// Bytes of the indirect side from one counter of a loop of the addressed nest to the next.
std::int64_t cell_step(const LoweredPlan& plan, int loop);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_PARTITION_H_
