#include "src/execute/run_sorted.h"

#include "src/execute/box_runner.h"
#include "src/execute/run_boxes.h"
#include "src/execute/sorted_cells.h"

namespace windrow::internal {

bool SortedRunner::serves(const RunContext& run, int tasks) const {
  return must_cut_cells(run.plan, tasks) && has_sorted_cells(run);
}

Partition SortedRunner::cut(const LoweredPlan& /*plan*/, int tasks) const {
  return {.tasks = tasks};
}

// No cell of the range belongs to another task as well.
void SortedRunner::run_task(const Task& task) const {
  const Range range = task.points();
  BoxRunner runner(task.run);
  runner.run({}, {next_cell_from(task.run, range.low), next_cell_from(task.run, range.high)});
  runner.finish();
}

// Boxes mention it.
void SortedRunner::describe(const LoweredPlan& /*plan*/, PlanDescription& /*description*/) const {}

}  // namespace windrow::internal
