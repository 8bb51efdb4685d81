#include <algorithm>

#include "src/base/cache_line.h"
#include "src/execute/box_runner.h"
#include "src/execute/copy_start.h"
#include "src/execute/way_runners.h"

namespace windrow::internal {
namespace {

Plane one_row(std::byte* to, const std::byte* from, std::int64_t bytes, bool stream) {
  Plane plane;
  plane.to = to;
  plane.from = from;
  plane.row_bytes = bytes;
  plane.stream = stream;
  return plane;
}

}  // namespace

bool Runner<Pieces>::serves(const RunContext& run, int /*tasks*/) const {
  return run.memory.start != nullptr &&
         run.plan.addressed.front().extent <= run.memory.start_bytes / way_.bytes;
}

Partition Runner<Pieces>::cut(const LoweredPlan& plan, int tasks) const {
  const std::int64_t pieces = plan.addressed.front().extent;
  return {.cut = Cut::kLoop,
          .tasks = static_cast<int>(std::min<std::int64_t>(pieces, tasks)),
          .loop = 0};
}

std::size_t Runner<Pieces>::scratch_bytes(const LoweredPlan& /*plan*/, int tasks) const {
  return static_cast<std::size_t>(tasks * whole_lines(way_.at_once * way_.bytes));
}

bool Runner<Pieces>::copies_start(const RunContext& /*run*/) const { return true; }

void Runner<Pieces>::run_task(const Task& task) const {
  const RunMemory& memory = task.run.memory;
  const bool stream = memory.streams(task.run.plan, memory.start_bytes);
  run_counters(task, stream);
  const std::int64_t done = task.run.plan.addressed.front().extent * way_.bytes;
  const Range rest = task.share(memory.start_bytes - done, kLine);
  copy_start(task.run, stream, {done + rest.low, done + rest.high});
}

void Runner<Pieces>::run_counters(const Task& task, bool stream) const {
  const auto& [plan, kernels, memory, threads, outcome] = task.run;
  const Range counters = task.share(plan.addressed.front().extent);
  for (std::int64_t low = counters.low, bytes = 0;
       low < counters.high && !outcome.stopped_after(bytes);) {
    const std::int64_t high = std::min(low + way_.at_once, counters.high);
    const std::int64_t first = low * way_.bytes;
    bytes = (high - low) * way_.bytes;
    std::byte* piece = stream ? task.scratch : memory.indirect + first;
    kernels.copy_plane(one_row(piece, memory.start + first, bytes, false));
    RunMemory piece_memory = memory;
    piece_memory.indirect = piece - first;
    BoxRunner runner({plan, kernels, piece_memory, threads, outcome}, CellPlace::kNear);
    runner.run({0, low, high}, {0, -1});
    runner.finish();
    if (stream) kernels.copy_plane(one_row(memory.indirect + first, piece, bytes, true));
    low = high;
  }
  if (stream) flush_streams();
}

void Runner<Pieces>::describe(const LoweredPlan& plan, PlanDescription& description) const {
  description.piece_bytes = way_.bytes;
  WayRunner::describe(plan, description);
}

}  // namespace windrow::internal
