#include "src/execute/run_plan.h"

#include <algorithm>
#include <array>

#include "src/base/cache_line.h"
#include "src/base/memory.h"
#include "src/execute/copy_start.h"
#include "src/execute/find_constant_rows.h"
#include "src/execute/outcome.h"
#include "src/execute/partition.h"
#include "src/execute/run_box.h"
#include "src/execute/run_buckets.h"
#include "src/execute/run_lanes.h"
#include "src/execute/run_pieces.h"
#include "src/execute/run_shared.h"
#include "src/execute/run_small.h"
#include "src/execute/run_takes.h"
#include "src/execute/sorted_cells.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

// What all tasks of a run share.
struct Run {
  const LoweredPlan& plan;
  const KernelTable& kernels;
  const RunMemory& memory;
  Partition partition = {};
  std::byte* scratch = nullptr;
  std::size_t scratch_per_task = 0;
  Outcome outcome{memory.interruption};

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

  const std::byte* written() const {
    return plan.scatter ? memory.indirect + plan.indirect_first : memory.direct;
  }

  Range slice(int index) const { return row_slice(plan, written(), partition.tasks, index); }

  Range share_lines(std::int64_t total, int index, std::int64_t per_line) const {
    return line_range(total, partition.tasks, index, per_line, written());
  }

  void task(int index, std::byte* scratch) {
    switch (partition.mode) {
      case RunMode::kShared:
        return shared_task(index, scratch);
      case RunMode::kLanes:
        return lanes_task(index, scratch);
      case RunMode::kBuckets:  // steps of its own
        return;
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
    if (partition.cut == Cut::kRow) runner.slice_rows(slice(index));
    runner.run(points, outer, scratch);
  }

  void lanes_task(int index, std::byte* scratch) {
    const std::byte* start = memory.start == nullptr ? memory.indirect : memory.start;
    LanesRunner(plan, kernels, memory, start, outcome)
        .run(share_lines(plan.addressed.back().extent, index, kLine / plan.row_bytes), scratch);
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
    const Range rest = share(memory.start_bytes - done, index, kLine);
    const bool stream = memory.streams(plan, memory.start_bytes >= plan.stream_from);
    copy_start(kernels, memory, stream, {done + rest.low, done + rest.high});
  }

  void boxes_task(int index) {
    BoxRunner runner(plan, kernels, memory, outcome);
    Box box;
    Range points{0, -1};
    if (partition.cut == Cut::kPoints) points = share(plan.points, index);
    if (partition.cut == Cut::kSorted) points = sorted_share(index);
    if (partition.cut == Cut::kRow) runner.slice_rows(slice(index));
    if (partition.cut == Cut::kOwner)
      runner.keep_owned(share(static_cast<std::int64_t>(plan.offset_count), index));
    if (partition.cut == Cut::kLoop) {
      const Range range =
          share_lines(plan.addressed[static_cast<std::size_t>(partition.loop)].extent, index,
                      loop_grain(plan, partition.loop));
      box = {partition.loop, range.low, range.high};
    }
    runner.run(box, points);
    runner.finish();
  }

  // No cell of it belongs to another task as well.
  Range sorted_share(int index) const {
    const Range range = share(plan.points, index);
    return {next_cell_from(plan, kernels, memory, range.low),
            next_cell_from(plan, kernels, memory, range.high)};
  }
};

// Bytes of scratch of a run that has so many tasks.
std::size_t scratch_of(const LoweredPlan& plan, const Partition& partition) {
  const int tasks = partition.tasks;
  if (partition.mode == RunMode::kBuckets) return bucket_scratch_bytes(plan, tasks);
  std::size_t per_task = 0;
  if (!plan.shared.empty()) {
    per_task = SharedRunner::scratch_bytes(plan);
  } else if (plan.tile > 0) {
    per_task = LanesRunner::scratch_bytes(plan);
  } else if (plan.piece_bytes > 0) {
    per_task = pieces_scratch_bytes(plan);
  }
  return per_task * static_cast<std::size_t>(tasks);
}

// Whether the run copies its start by itself.
bool copies_start(const Run& run) {
  switch (run.partition.mode) {
    case RunMode::kPieces:
      return true;
    case RunMode::kLanes:
      return fills_all_cells(run.plan, run.memory);
    default:
      return false;
  }
}

RunMode choose_mode(const LoweredPlan& plan, const RunMemory& memory) {
  if (!plan.shared.empty()) return RunMode::kShared;
  if (plan.takes_straight) return RunMode::kTakes;
  if (plan.tile > 0) return RunMode::kLanes;
  if (plan.forces_buckets) return RunMode::kBuckets;
  return copies_in_pieces(plan, memory) ? RunMode::kPieces : RunMode::kBoxes;
}

// Scratch that the caller gave, or own.
class Scratch {
 public:
  // False: there is not enough memory.
  bool provide(std::size_t bytes, std::span<std::byte> given) {
    data_ = given.data();
    if (bytes <= given.size()) return true;
    bytes_ = bytes;
    data_ = static_cast<std::byte*>(allocate_elements(bytes));
    return data_ != nullptr;
  }
  Scratch() = default;
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (bytes_ > 0 && data_ != nullptr) free_elements(data_, bytes_);
  }
  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;  // of our own
};

RunOutcome run_loops(const LoweredPlan& plan, const KernelTable& kernels, RunMemory memory,
                     Threads* threads, std::span<std::byte> given) {
  const int count = threads == nullptr ? 1 : threads->count();
  Run run{plan, kernels, memory, partition(plan, choose_mode(plan, memory), count)};
  if (run.partition.cut == Cut::kOwner && plan.finds_sorted &&
      has_sorted_cells(plan, kernels, memory, threads))
    run.partition = partition_sorted(plan, count);
  const std::size_t bytes = scratch_of(plan, run.partition);
  Scratch scratch;
  if (!scratch.provide(bytes, given)) return RunOutcome::kOutOfMemory;
  run.scratch = scratch.data();
  run.scratch_per_task = bytes / static_cast<std::size_t>(run.partition.tasks);
  if (memory.start != nullptr && !copies_start(run)) {
    copy_whole_start(plan, kernels, memory, threads);
    memory.start = nullptr;
  }
  if (run.partition.mode == RunMode::kBuckets) {
    BucketRun(plan, kernels, memory, run.partition.tasks, run.scratch, run.outcome).run(threads);
  } else {
    run_tasks(run.partition.tasks, &Run::run_task, &run, threads);
  }
  return run.outcome.get();
}

// The scratch of the loops alone: of whichever way of running takes most.
std::size_t loops_scratch_bytes(const LoweredPlan& plan, int threads) {
  const int tasks = most_tasks(plan, threads);
  std::size_t bytes = scratch_of(plan, {.mode = RunMode::kBoxes, .tasks = tasks});
  if (plan.can_use_buckets && (tasks > kMostOwners || plan.forces_buckets))
    bytes = std::max(bytes, scratch_of(plan, {.mode = RunMode::kBuckets, .tasks = tasks}));
  return bytes;
}

}  // namespace

std::size_t scratch_bytes(const LoweredPlan& plan, int threads) noexcept {
  if (plan.points == 0 || plan.small) return 0;
  const std::size_t bytes = loops_scratch_bytes(plan, threads);
  if (plan.constant_rows == nullptr) return bytes;
  return constant_rows_bytes(plan) +
         std::max(bytes, loops_scratch_bytes(*plan.constant_rows, threads));
}

RunOutcome run_plan(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                    Threads* threads, std::span<std::byte> scratch) noexcept {
  if (plan.points == 0 || plan.small) {
    if (memory.start != nullptr) copy_whole_start(plan, kernels, memory, threads);
    return plan.points == 0 ? RunOutcome::kDone : run_small(plan, kernels, memory);
  }
  if (plan.constant_rows == nullptr || !may_have_constant_rows(plan, kernels, memory))
    return run_loops(plan, kernels, memory, threads, scratch);
  const std::size_t bytes = constant_rows_bytes(plan);
  Scratch own;
  if (!own.provide(bytes, scratch)) return RunOutcome::kOutOfMemory;
  const std::span<std::byte> rest = scratch.subspan(std::min(bytes, scratch.size()));
  if (!find_constant_rows(plan, kernels, memory, threads, own.data()))
    return run_loops(plan, kernels, memory, threads, rest);
  std::array<const std::byte*, kMostInputs> indices{};
  std::copy(memory.indices.begin(), memory.indices.end(), indices.begin());
  indices[static_cast<std::size_t>(plan.axes.front().terms.front().input)] = own.data();
  RunMemory rows = memory;
  rows.indices = {indices.data(), memory.indices.size()};
  return run_loops(*plan.constant_rows, kernels, rows, threads, rest);
}

}  // namespace windrow::internal
