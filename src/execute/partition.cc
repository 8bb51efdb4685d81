#include "src/execute/partition.h"

#include <algorithm>

#include "src/execute/offset_block.h"
#include "src/plan/find_small.h"

namespace windrow::internal {
namespace {

// A task below this many bytes costs more to hand out than it saves.
constexpr double kLeastTaskBytes = 64 * 1024;
static_assert(kMostSmallBytes < 2 * kLeastTaskBytes, "small plans run as one task");
// Rows are cut into slices of at least so many bytes.
constexpr std::int64_t kLeastSliceBytes = 256;
// Reading all indices once per task pays for few tasks only.
constexpr int kMostOwners = 8;

// The innermost tiled loop, else the longest injective loop, that gives every task something to do.
int find_loop(const LoweredPlan& plan, int tasks) {
  if (plan.tile > 0) return static_cast<int>(plan.addressed.size()) - 1;
  int best = -1;
  std::int64_t longest = tasks - 1;
  for (std::size_t l = 0; l < plan.addressed.size(); ++l) {
    if (!plan.addressed[l].injective || plan.addressed[l].extent <= longest) continue;
    best = static_cast<int>(l);
    longest = plan.addressed[l].extent;
  }
  return best;
}

Partition partition_gather(const LoweredPlan& plan, int tasks) {
  if (plan.tile > 0) return {Cut::kLoop, tasks, find_loop(plan, tasks)};
  // Tasks that cut the shared loops compute the same offsets each: only where these are few.
  const bool few = plan.points < tasks * kBlockPoints;
  if (few && plan.shared_points >= tasks) return {Cut::kShared, tasks, -1};
  if (plan.points >= tasks) return {Cut::kPoints, tasks, -1};
  return {Cut::kRow, tasks, -1};
}

Partition partition_scatter(const LoweredPlan& plan, int tasks) {
  if (plan.shared_points >= tasks) return {Cut::kShared, tasks, -1};
  if (plan.shared_points == 1) {
    const int loop = find_loop(plan, tasks);
    if (loop >= 0) return {Cut::kLoop, tasks, loop};
  }
  if (plan.row_bytes >= tasks * kLeastSliceBytes) return {Cut::kRow, tasks, -1};
  if (plan.shared_points == 1) return {Cut::kOwner, std::min(tasks, kMostOwners), -1};
  return {};
}

}  // namespace

Partition partition(const LoweredPlan& plan, int threads) {
  if (threads < 2) return {};
  const double work = static_cast<double>(plan.points) * static_cast<double>(plan.shared_points) *
                      static_cast<double>(plan.row_bytes + 8);
  const int tasks = static_cast<int>(std::min<double>(threads, work / kLeastTaskBytes));
  if (tasks < 2) return {};
  return plan.scatter ? partition_scatter(plan, tasks) : partition_gather(plan, tasks);
}

Range task_range(std::int64_t total, int tasks, int task, std::int64_t grain) {
  const std::int64_t grains = (total + grain - 1) / grain;
  const std::int64_t each = grains / tasks;
  const std::int64_t rest = grains % tasks;
  const auto start = [&](std::int64_t t) { return (each * t + std::min(t, rest)) * grain; };
  return {std::min(start(task), total), std::min(start(task + 1), total)};
}

}  // namespace windrow::internal
