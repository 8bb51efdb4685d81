#include "src/execute/partition.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "src/base/memory.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// The kernel of a row that is cut serves the shortest slice as well.
constexpr bool serves_slices(Family family) {
  const Kernel longest = find_kernel({family, std::numeric_limits<std::int64_t>::max()});
  return find_kernel({family, kLeastSliceBytes - kLine}) == longest;
}
static_assert(serves_slices(Family::kCopyRows) && serves_slices(Family::kAssign));

// Whole elements, and whole cache lines.
std::int64_t slice_grain(const LoweredPlan& plan) { return std::lcm(plan.element_bytes, kLine); }

}  // namespace

std::int64_t cell_step(const LoweredPlan& plan, int loop) {
  return std::abs(plan.addressed[static_cast<std::size_t>(loop)].strides[kIndirectTrack]) *
         plan.unit;
}

Partition cut_rows(const LoweredPlan& plan, int tasks) {
  const std::int64_t most = plan.row_bytes / kLeastSliceBytes;
  return {.cut = Cut::kRow, .tasks = static_cast<int>(std::clamp<std::int64_t>(most, 1, tasks))};
}

int most_tasks(const LoweredPlan& plan, int threads) {
  if (threads < 2) return 1;
  if (plan.forced_tasks > 0) return plan.forced_tasks;
  const double work = static_cast<double>(plan.points) * static_cast<double>(plan.shared_points) *
                      static_cast<double>(plan.row_bytes + 8);
  return std::max(
      static_cast<int>(std::min<double>(threads, work / static_cast<double>(least_task_bytes()))),
      1);
}

int useful_tasks(std::int64_t total, std::int64_t least, const Threads* threads) {
  if (threads == nullptr) return 1;
  return static_cast<int>(std::clamp<std::int64_t>(total / least, 1, threads->count()));
}

std::int64_t loop_grain(const LoweredPlan& plan, int loop) {
  const std::int64_t step = cell_step(plan, loop);
  return step > 0 && step < kLine ? kLine / step : 1;
}

Range row_slice(const LoweredPlan& plan, const std::byte* rows, int tasks, int task) {
  const std::int64_t grain = slice_grain(plan);
  const Range grains = task_range(plan.row_bytes / grain, tasks, task);
  const std::int64_t place = line_offset(rows);
  const std::int64_t shift = place % plan.element_bytes == 0 ? place : 0;
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
