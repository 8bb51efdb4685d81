#include "src/execute/partition.h"

#include <algorithm>
#include <cstdlib>

#include "src/base/cache_line.h"
#include "src/execute/offset_block.h"
#include "src/plan/find_small.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

static_assert(kMostSmallBytes < 2 * kLeastTaskBytes, "small plans run as one task");

// Bytes of the indirect side from one counter of a loop to the next.
std::int64_t cell_step(const LoweredPlan& plan, int loop) {
  return std::abs(plan.addressed[static_cast<std::size_t>(loop)].strides[kIndirectStream]) *
         plan.unit;
}

// Whether tasks that cut a loop seldom write to one cache line.
bool keeps_lines_apart(const LoweredPlan& plan, int loop, int tasks) {
  const std::int64_t step = cell_step(plan, loop);
  const std::int64_t extent = plan.addressed[static_cast<std::size_t>(loop)].extent;
  return step == 0 || step >= kLine || extent / tasks * step >= kLeastSliceBytes;
}

// The longest injective loop that gives every task something to do.
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

std::int64_t slice_grain(const LoweredPlan& plan) { return std::max(plan.element_bytes, kLine); }

Partition cut_rows(const LoweredPlan& plan, int tasks) {
  const std::int64_t grains = plan.row_bytes / slice_grain(plan);
  return {.cut = Cut::kRow, .tasks = static_cast<int>(std::clamp<std::int64_t>(grains, 1, tasks))};
}

Partition cut_gather(const LoweredPlan& plan, int tasks) {
  // Tasks that cut the shared loops compute the same offsets each: only where these are few, by
  // themselves or beside the points that they serve.
  const bool few =
      plan.points < tasks * kBlockPoints || plan.shared_points >= tasks * kLeastSharedShare;
  if (few && plan.shared_points >= tasks) return {.cut = Cut::kShared, .tasks = tasks};
  if (plan.points >= tasks) return {.cut = Cut::kPoints, .tasks = tasks};
  return cut_rows(plan, tasks);
}

Partition cut_scatter(const LoweredPlan& plan, int tasks) {
  if (plan.shared_points >= tasks) return {.cut = Cut::kShared, .tasks = tasks};
  if (plan.shared_points == 1) {
    const int loop = find_loop(plan, tasks);
    if (loop >= 0) return {.cut = Cut::kLoop, .tasks = tasks, .loop = loop};
  }
  if (plan.row_bytes >= tasks * kLeastSliceBytes) return cut_rows(plan, tasks);
  if (plan.shared_points > 1) return {};
  if (tasks > kMostOwners && plan.can_use_buckets)
    return {.mode = RunMode::kBuckets, .cut = Cut::kOwner, .tasks = tasks};
  return {.cut = Cut::kOwner, .tasks = std::min(tasks, kMostOwners)};
}

// Lanes are cut between cache lines.
Partition cut_lanes(const LoweredPlan& plan, int tasks) {
  const std::int64_t lines = plan.addressed.back().extent * plan.row_bytes / kLine;
  tasks = static_cast<int>(std::clamp<std::int64_t>(lines, 1, tasks));
  const int loop = static_cast<int>(plan.addressed.size()) - 1;
  return {.cut = Cut::kLoop, .tasks = tasks, .loop = loop};
}

Partition cut_pieces(const LoweredPlan& plan, int tasks) {
  const std::int64_t pieces = plan.addressed.front().extent;
  return {.cut = Cut::kLoop,
          .tasks = static_cast<int>(std::min<std::int64_t>(pieces, tasks)),
          .loop = 0};
}

Partition cut_for(const LoweredPlan& plan, RunMode mode, int tasks) {
  if (mode == RunMode::kLanes) return cut_lanes(plan, tasks);
  if (mode == RunMode::kBuckets) return {.cut = Cut::kOwner, .tasks = tasks};
  if (mode == RunMode::kTakes)
    return {.cut = Cut::kPoints,
            .tasks = static_cast<int>(std::min<std::int64_t>(plan.points, tasks))};
  if (mode == RunMode::kPieces) return cut_pieces(plan, tasks);
  return plan.scatter ? cut_scatter(plan, tasks) : cut_gather(plan, tasks);
}

}  // namespace

int most_tasks(const LoweredPlan& plan, int threads) {
  if (threads < 2) return 1;
  if (plan.forced_tasks > 0) return plan.forced_tasks;
  const double work = static_cast<double>(plan.points) * static_cast<double>(plan.shared_points) *
                      static_cast<double>(plan.row_bytes + 8);
  return std::max(
      static_cast<int>(std::min<double>(threads, work / static_cast<double>(kLeastTaskBytes))), 1);
}

Partition partition(const LoweredPlan& plan, RunMode mode, int threads) {
  const int tasks = most_tasks(plan, threads);
  Partition partition = tasks < 2 ? Partition{} : cut_for(plan, mode, tasks);
  if (partition.mode == RunMode::kBoxes) partition.mode = mode;
  return partition;
}

Partition partition_sorted(const LoweredPlan& plan, int threads) {
  return {.cut = Cut::kSorted, .tasks = most_tasks(plan, threads)};
}

int useful_tasks(std::int64_t total, std::int64_t least, const Threads* threads) {
  if (threads == nullptr) return 1;
  return static_cast<int>(std::clamp<std::int64_t>(total / least, 1, threads->count()));
}

void run_tasks(int tasks, void (*task)(void* context, int index), void* context, Threads* threads) {
  if (tasks == 1) return task(context, 0);
  threads->parallel(tasks, task, context);
}

// Of a scatter, that out of place.
RunMode usual_mode(const LoweredPlan& plan) {
  if (plan.takes_straight) return RunMode::kTakes;
  if (plan.tile > 0) return RunMode::kLanes;
  return plan.piece_bytes > 0 ? RunMode::kPieces : RunMode::kBoxes;
}

// What each of several tasks takes.
std::string share_text(const LoweredPlan& plan) {
  const Partition two = partition(plan, usual_mode(plan), 2);
  switch (two.tasks < 2 ? Cut::kPoints : two.cut) {
    case Cut::kPoints:
      return "a range of the points each";
    case Cut::kShared:
      return "a range of the loops that share offsets each";
    case Cut::kLoop:
      return "a range of loop " + std::to_string(two.loop) + " each";
    case Cut::kRow:
      return "a slice of every row each";
    case Cut::kOwner:
    case Cut::kSorted:
      break;
  }
  return std::string("the updates of a range of cells each") +
         (plan.finds_sorted ? "; of sorted ones a range of the points" : "");
}

void describe_tasks(const LoweredPlan& plan, PlanDescription& description) {
  constexpr int kMany = 1 << 20;
  const int most = plan.small ? 1 : most_tasks(plan, kMany);
  if (most < kMany) description.most_threads = most;
  if (most > 1) description.thread_share = share_text(plan);
}

std::int64_t loop_grain(const LoweredPlan& plan, int loop) {
  const std::int64_t step = cell_step(plan, loop);
  return step > 0 && step < kLine ? kLine / step : 1;
}

Range row_slice(const LoweredPlan& plan, const std::byte* rows, int tasks, int task) {
  const std::int64_t grain = slice_grain(plan);
  const Range grains = task_range(plan.row_bytes / grain, tasks, task);
  const std::int64_t place = line_offset(rows);
  const bool fits = plan.row_bytes / tasks >= kLeastSliceBytes && place % plan.element_bytes == 0;
  const std::int64_t shift = fits ? place : 0;
  return {task == 0 ? 0 : grains.low * grain - shift,
          task == tasks - 1 ? plan.row_bytes : grains.high * grain - shift};
}

Range task_range(std::int64_t total, int tasks, int task, std::int64_t grain) {
  const std::int64_t grains = (total + grain - 1) / grain;
  const std::int64_t each = grains / tasks;
  const std::int64_t rest = grains % tasks;
  const auto start = [&](std::int64_t t) { return (each * t + std::min(t, rest)) * grain; };
  return {std::min(start(task), total), std::min(start(task + 1), total)};
}

Range line_range(std::int64_t total, int tasks, int task, std::int64_t per_line,
                 const std::byte* written) {
  const Range range = task_range(total, tasks, task, per_line);
  const std::int64_t shift = line_offset(written) * per_line / kLine;
  return {task == 0 ? 0 : std::max<std::int64_t>(range.low - shift, 0),
          task == tasks - 1 ? total : std::max<std::int64_t>(range.high - shift, 0)};
}

}  // namespace windrow::internal
