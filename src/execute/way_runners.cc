#include "src/execute/way_runners.h"

#include <string>

#include "src/execute/partition.h"

namespace windrow::internal {
namespace {

// The share of each task, where there are several.
std::string share_text(const Partition& partition) {
  switch (partition.cut) {
    case Cut::kPoints:
      break;
    case Cut::kShared:
      return "a range of the loops that share offsets each";
    case Cut::kLoop:
      return "a range of loop " + std::to_string(partition.loop) + " each";
    case Cut::kRow:
      return "a slice of every row each";
    case Cut::kCells:
      return "the updates of a range of cells each";
  }
  return "a range of the points each";
}

}  // namespace

void WayRunner::run(const RunContext& run, const Partition& partition, std::byte* scratch) const {
  const std::size_t bytes =
      scratch_bytes(run.plan, partition.tasks) / static_cast<std::size_t>(partition.tasks);
  parallel_for(partition.tasks, run.threads, [&](int index) {
    run_task({run, partition, index, scratch + static_cast<std::size_t>(index) * bytes});
  });
}

void WayRunner::describe(const LoweredPlan& plan, PlanDescription& description) const {
  if (!description.thread_share.empty()) return;
  const Partition two = cut(plan, 2);
  description.thread_share = share_text(two.tasks < 2 ? Partition{} : two);
}

}  // namespace windrow::internal
