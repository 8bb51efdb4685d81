#include "src/execute/run_plan.h"

#include <algorithm>
#include <memory>
#include <new>

#include "src/execute/copy_start.h"
#include "src/execute/outcome.h"
#include "src/execute/partition.h"
#include "src/execute/run_box.h"
#include "src/execute/run_constant_rows.h"
#include "src/execute/run_lanes.h"
#include "src/execute/run_pieces.h"
#include "src/execute/run_shared.h"
#include "src/execute/run_small.h"
#include "src/execute/run_takes.h"

namespace windrow::internal {
namespace {

// What all tasks of a run share.
struct Run {
  const LoweredPlan& plan;
  const KernelTable& kernels;
  const RunMemory& memory;
  Partition partition;
  std::byte* scratch = nullptr;
  std::size_t scratch_per_task = 0;
  Outcome outcome = {};

  static void run_task(void* context, int index) {
    auto& run = *static_cast<Run*>(context);
    std::byte* scratch = run.scratch == nullptr
                             ? nullptr
                             : run.scratch + static_cast<std::size_t>(index) * run.scratch_per_task;
    run.task(index, scratch);
  }

  Range share(std::int64_t total, int index, std::int64_t grain = 1) const {
    return task_range(total, partition.tasks, index, grain);
  }

  void task(int index, std::byte* scratch) {
    switch (partition.mode) {
      case RunMode::kShared:
        return shared_task(index, scratch);
      case RunMode::kLanes:
        return lanes_task(index, scratch);
      case RunMode::kConstantRows:
        return constant_rows_task(index);
      case RunMode::kTakes:
        return takes_task(index);
      case RunMode::kPieces:
        return pieces_task(index, scratch);
      case RunMode::kBoxes:
        return boxes_task(index);
    }
  }

  void shared_task(int index, std::byte* scratch) {
    SharedRunner runner(plan, kernels, memory, outcome);
    Range points{0, plan.points};
    Range outer{0, plan.shared_points};
    if (partition.cut == Cut::kPoints) points = share(plan.points, index);
    if (partition.cut == Cut::kShared) outer = share(plan.shared_points, index);
    if (partition.cut == Cut::kRow) runner.slice_rows(row_slice(index));
    runner.run(points, outer, scratch);
  }

  void lanes_task(int index, std::byte* scratch) {
    const std::int64_t line = 64 / plan.row_bytes;
    const std::byte* start =
        memory.start == nullptr || !fills_all_cells(plan, memory) ? memory.indirect : memory.start;
    LanesRunner(plan, kernels, memory, start, outcome)
        .run(share(plan.addressed.back().extent, index, line), scratch);
  }

  void constant_rows_task(int index) {
    Range lanes{0, plan.addressed.back().extent};
    Range rows{0, plan.constant_rows->points};
    if (partition.cut == Cut::kLoop) lanes = share(lanes.high, index, 64 / plan.row_bytes);
    if (partition.cut == Cut::kPoints) rows = share(rows.high, index);
    run_constant_rows(plan, kernels, memory, lanes, rows, outcome);
  }

  void takes_task(int index) {
    const bool cut = partition.cut == Cut::kPoints;
    run_takes(plan, kernels, memory, cut ? share(plan.points, index) : Range{0, plan.points},
              outcome);
  }

  void pieces_task(int index, std::byte* scratch) {
    const Range counters = share(plan.addressed.front().extent, index);
    run_pieces(plan, kernels, memory, counters, scratch, outcome);
    const std::int64_t done = plan.addressed.front().extent * plan.piece_bytes;
    const Range rest = share(memory.start_bytes - done, index, 64);
    copy_start(plan, kernels, memory, {done + rest.low, done + rest.high});
  }

  void boxes_task(int index) {
    BoxRunner runner(plan, kernels, memory, outcome);
    Box box;
    Range points{0, -1};
    if (partition.cut == Cut::kPoints) points = share(plan.points, index);
    if (partition.cut == Cut::kRow) runner.slice_rows(row_slice(index));
    if (partition.cut == Cut::kOwner)
      runner.keep_owned(share(static_cast<std::int64_t>(plan.offset_count), index));
    if (partition.cut == Cut::kLoop) {
      const Range range = share(plan.addressed[static_cast<std::size_t>(partition.loop)].extent,
                                index, std::max<std::int64_t>(plan.tile, 1));
      box = {partition.loop, range.low, range.high};
    }
    if (plan.tile > 0) {
      run_tiles(runner, box);
    } else {
      runner.run(box, points);
    }
    runner.finish();
  }

  void run_tiles(BoxRunner& runner, Box lanes) const {
    const int loop = static_cast<int>(plan.addressed.size()) - 1;
    if (lanes.loop < 0) lanes = {loop, 0, plan.addressed.back().extent};
    for (std::int64_t low = lanes.low; low < lanes.high && !outcome.stopped(); low += plan.tile)
      runner.run({loop, low, std::min(low + plan.tile, lanes.high)}, {0, -1});
  }

  Range row_slice(int index) const {
    return share(plan.row_bytes, index, std::max<std::int64_t>(plan.element_bytes, 64));
  }
};

std::size_t task_scratch_bytes(const LoweredPlan& plan) {
  if (!plan.shared.empty()) return SharedRunner::scratch_bytes(plan);
  if (plan.packed) return LanesRunner::scratch_bytes(plan);
  return plan.piece_bytes > 0 ? pieces_scratch_bytes(plan) : 0;
}

// Scatters with a start: the copy that is not part of the tasks themselves.
void copy_before_tasks(const Run& run, Threads* threads) {
  if (run.memory.start == nullptr || run.partition.mode == RunMode::kPieces) return;
  if (run.partition.mode == RunMode::kLanes && fills_all_cells(run.plan, run.memory)) return;
  copy_whole_start(run.plan, run.kernels, run.memory, threads);
}

RunMode choose_mode(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory) {
  if (plan.constant_rows != nullptr && has_constant_rows(plan, kernels, memory))
    return RunMode::kConstantRows;
  if (!plan.shared.empty()) return RunMode::kShared;
  if (find_take(plan, kernels) != nullptr) return RunMode::kTakes;
  if (plan.packed) return RunMode::kLanes;
  return copies_in_pieces(plan, memory) ? RunMode::kPieces : RunMode::kBoxes;
}

}  // namespace

std::size_t scratch_bytes(const LoweredPlan& plan, int threads) noexcept {
  if (plan.points == 0) return 0;
  return task_scratch_bytes(plan) * static_cast<std::size_t>(most_tasks(plan, threads));
}

RunOutcome run_plan(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                    Threads* threads, std::span<std::byte> scratch) noexcept {
  const int count = threads == nullptr ? 1 : threads->count();
  if (plan.points == 0 || plan.small) {
    if (memory.start != nullptr) copy_whole_start(plan, kernels, memory, threads);
    return plan.points == 0 ? RunOutcome::kDone : run_small(plan, kernels, memory);
  }
  const RunMode mode = choose_mode(plan, kernels, memory);
  Run run{plan, kernels, memory, partition(plan, mode, count), nullptr, task_scratch_bytes(plan)};
  const std::size_t needed = run.scratch_per_task * static_cast<std::size_t>(run.partition.tasks);
  std::unique_ptr<std::byte[]> own;
  if (needed > 0) {
    run.scratch = scratch.data();
    if (scratch.size() < needed) {
      own.reset(new (std::nothrow) std::byte[needed]);
      if (own == nullptr) return RunOutcome::kOutOfMemory;
      run.scratch = own.get();
    }
  }
  copy_before_tasks(run, threads);
  if (run.partition.tasks == 1) {
    Run::run_task(&run, 0);
  } else {
    threads->parallel(run.partition.tasks, &Run::run_task, &run);
  }
  return run.outcome.get();
}

}  // namespace windrow::internal
