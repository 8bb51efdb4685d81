#include "src/execute/run_boxes.h"

#include <algorithm>

#include "src/base/cache_line.h"
#include "src/execute/box_runner.h"
#include "src/execute/way_runners.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

// Whether tasks that divide a loop rarely write to the same cache line.
bool keeps_lines_apart(const LoweredPlan& plan, int loop, int tasks) {
  const std::int64_t step = cell_step(plan, loop);
  const std::int64_t extent = plan.addressed[static_cast<std::size_t>(loop)].extent;
  return step == 0 || step >= kLine || extent / tasks * step >= kLeastSliceBytes;
}

// The longest injective loop that gives every task some work.
int find_loop(const LoweredPlan& plan, int tasks) {
  int best = -1;
  std::int64_t longest = tasks - 1;
  for (std::size_t l = 0; l < plan.addressed.size(); ++l) {
    if (!plan.addressed[l].injective || plan.addressed[l].extent <= longest ||
        !keeps_lines_apart(plan, static_cast<int>(l), tasks))
      continue;
    best = static_cast<int>(l);
    longest = plan.addressed[l].extent;
  }
  return best;
}

Partition cut_scatter(const LoweredPlan& plan, int tasks) {
  const int loop = find_loop(plan, tasks);
  if (loop >= 0) return {.cut = Cut::kLoop, .tasks = tasks, .loop = loop};
  if (plan.row_bytes >= tasks * kLeastSliceBytes) return cut_rows(plan, tasks);
  return {.cut = Cut::kCells, .tasks = std::min(tasks, kMostOwners)};
}

}  // namespace

bool must_cut_cells(const LoweredPlan& plan, int tasks) {
  return tasks > 1 && cut_scatter(plan, tasks).cut == Cut::kCells;
}

Partition Runner<Boxes>::cut(const LoweredPlan& plan, int tasks) const {
  if (plan.scatter) return cut_scatter(plan, tasks);
  if (plan.points >= tasks) return {.cut = Cut::kPoints, .tasks = tasks};
  return cut_rows(plan, tasks);
}

void Runner<Boxes>::run_task(const Task& task) const {
  const LoweredPlan& plan = task.run.plan;
  BoxRunner runner(task.run);
  Box box;
  Range points{0, -1};
  switch (task.partition.cut) {
    case Cut::kLoop: {
      const int loop = task.partition.loop;
      const Range range = task.share_lines(plan.addressed[static_cast<std::size_t>(loop)].extent,
                                           loop_grain(plan, loop));
      box = {loop, range.low, range.high};
      break;
    }
    case Cut::kRow:
      runner.slice_rows(task.slice());
      break;
    case Cut::kCells:
      runner.keep_owned(task.share(static_cast<std::int64_t>(plan.offset_count)));
      break;
    default:
      points = task.points();
  }
  runner.run(box, points);
  runner.finish();
}

void Runner<Boxes>::describe(const LoweredPlan& plan, PlanDescription& description) const {
  const bool first = description.thread_share.empty();
  WayRunner::describe(plan, description);
  if (first && plan.scatter && must_cut_cells(plan, 2) && find_way<SortedRanges>(plan.ways))
    description.thread_share += "; of sorted ones a range of the points";
}

}  // namespace windrow::internal
