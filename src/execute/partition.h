#ifndef WINDROW_EXECUTE_PARTITION_H_
#define WINDROW_EXECUTE_PARTITION_H_

#include <cstdint>
#include <string>

#include "src/execute/nest_cursor.h"
#include "src/plan/lowered_plan.h"
#include "windrow/threads.h"

namespace windrow::internal {

// How a run walks the points of its plan.
enum class RunMode : std::uint8_t {
  kBoxes,    // parts of the addressed nest, block by block
  kShared,   // offsets that serve all points of the shared loops
  kLanes,    // tiles of packed lanes
  kBuckets,  // updates by buckets of the output
  kTakes,    // single elements straight from their indices
  kPieces,   // the output copied piece by piece, each before its updates
};

// How the points of a plan are cut into tasks that may run at the same time.
enum class Cut : std::uint8_t {
  kPoints,  // ranges of the addressed points (gathers)
  kShared,  // ranges of the shared points
  kLoop,    // ranges of one loop of the addressed nest; scatters need it injective
  kRow,     // slices of every row
  kOwner,   // ranges of the cells (scatters): every task reads all indices, or buckets are made
  kSorted,  // ranges of the points, cut between two cells: scatters in the order of their cells
};

struct Partition {
  RunMode mode = RunMode::kBoxes;
  Cut cut = Cut::kPoints;
  int tasks = 1;
  int loop = -1;  // kLoop
};

// Law: no two tasks write the same cell, and within a task the updates of a cell keep their order;
// so the result does not depend on `threads`.
Partition partition(const LoweredPlan& plan, RunMode mode, int threads);

// No partition for so many threads has more tasks.
int most_tasks(const LoweredPlan& plan, int threads);

// The same for points whose cells come in ascending order; it needs Cut::kOwner.
Partition partition_sorted(const LoweredPlan& plan, int threads);

// How many tasks `total` units of work are worth, at least `least` of them each. `threads` may be
// null: then 1.
int useful_tasks(std::int64_t total, std::int64_t least, const Threads* threads);

// Runs the tasks [0, tasks) on the threads, a single one on the calling thread, where `threads` may
// be null.
void run_tasks(int tasks, void (*task)(void* context, int index), void* context, Threads* threads);

// Sets what a description says of threads, for a plan with elements.
void describe_tasks(const LoweredPlan& plan, PlanDescription& description);

// Task number `task` of `tasks` of [0, total): contiguous, in order, sizes differ by one `grain` at
// most.
struct Range {
  std::int64_t low = 0;
  std::int64_t high = 0;
};
Range task_range(std::int64_t total, int tasks, int task, std::int64_t grain = 1);

// Cut::kLoop: how many counters of the loop a cache line of the written side holds, 1 at least.
std::int64_t loop_grain(const LoweredPlan& plan, int loop);

// The same of counters of which a cache line holds `per_line`: tasks meet where the lines of the
// written side do. `written`: the place of the first counter's cell.
Range line_range(std::int64_t total, int tasks, int task, std::int64_t per_line,
                 const std::byte* written);

// Cut::kRow: the bytes of every row that are the task's, at least as many as a cache line or a
// short row has. `rows`: the side that is written; slices of kLeastSliceBytes and more meet where
// its cache lines do.
Range row_slice(const LoweredPlan& plan, const std::byte* rows, int tasks, int task);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_PARTITION_H_
