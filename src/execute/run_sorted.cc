#include "src/execute/box_runner.h"
#include "src/execute/run_boxes.h"
#include "src/execute/sorted_cells.h"
#include "src/execute/way_runners.h"

namespace windrow::internal {

bool Runner<SortedRanges>::serves(const RunContext& run, int tasks) const {
  return must_cut_cells(run.plan, tasks) && has_sorted_cells(run);
}

Partition Runner<SortedRanges>::cut(const LoweredPlan& /*plan*/, int tasks) const {
  return {.tasks = tasks};
}

// No other task has a cell of this range.
void Runner<SortedRanges>::run_task(const Task& task) const {
  const Range range = task.points();
  BoxRunner runner(task.run);
  runner.run({}, {next_cell_from(task.run, range.low), next_cell_from(task.run, range.high)});
  runner.finish();
}

// The description of Boxes mentions this way.
void Runner<SortedRanges>::describe(const LoweredPlan& /*plan*/,
                                    PlanDescription& /*description*/) const {}

}  // namespace windrow::internal
