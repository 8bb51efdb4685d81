#ifndef WINDROW_EXECUTE_PARTITION_H_
#define WINDROW_EXECUTE_PARTITION_H_

#include <cstddef>
#include <cstdint>

#include "src/plan/lowered_plan.h"
#include "windrow/threads.h"

namespace windrow::internal {

// How the points of a plan are divided into tasks that may run at the same time.
enum class Cut : std::uint8_t {
  kPoints,  // ranges of the addressed points
  kShared,  // ranges of the shared points
  kLoop,    // ranges of one loop of the addressed nest; scatters need it injective
  kRow,     // slices of every row
  kCells,   // ranges of the cells
};

// Law: no two tasks write to the same cell, and within a task the updates of a cell keep their
// order. The result therefore does not depend on the number of tasks.
struct Partition {
  Cut cut = Cut::kPoints;
  int tasks = 1;
  int loop = -1;  // kLoop
};

// The largest number of tasks that the work of a plan justifies on a given number of threads.
int most_tasks(const LoweredPlan& plan, int threads);

// The number of tasks for `total` units of work, with at least `least` units each. Returns 1 if
// `threads` is null.
int useful_tasks(std::int64_t total, std::int64_t least, const Threads* threads);

// Divides every row into slices. Each slice is at least a cache line, or a whole shorter row.
Partition cut_rows(const LoweredPlan& plan, int tasks);

// The range of task number `task` of `tasks` over [0, total). The ranges are contiguous and in
// order; their sizes differ by at most one `grain`.
struct Range {
  std::int64_t low = 0;
  std::int64_t high = 0;
};
Range task_range(std::int64_t total, int tasks, int task, std::int64_t grain = 1);

// Same as task_range(), for counters of which a cache line holds `per_line`: tasks meet at cache
// line boundaries of the written side. `written` is the address of the first counter's cell.
Range line_range(std::int64_t total, int tasks, int task, std::int64_t per_line,
                 const std::byte* written);

// Cut::kLoop: the number of counters of the loop whose cells share a cache line of the written
// side; at least 1.
std::int64_t loop_grain(const LoweredPlan& plan, int loop);

// Cut::kRow: the bytes of every row that belong to the task. `rows` is the written side; slices of
// at least kLeastSliceBytes meet at its cache line boundaries.
Range row_slice(const LoweredPlan& plan, const std::byte* rows, int tasks, int task);

// The distance in bytes, on the indirect side, between two counters of a loop of the addressed
// nest.
std::int64_t cell_step(const LoweredPlan& plan, int loop);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_PARTITION_H_
