#include "src/execute/run_plan.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>

#include "src/execute/offset_block.h"
#include "src/execute/partition.h"
#include "src/execute/run_small.h"
#include "src/plan/choose_kernel.h"

namespace windrow::internal {
namespace {

// Shared offsets are computed for so many points at a time: their buffer fits in a second-level
// cache.
constexpr std::int64_t kSharedChunk = 65536;

std::int64_t offset_bytes(const LoweredPlan& plan) { return plan.wide_offsets ? 8 : 4; }

bool uses_shared_chunks(const LoweredPlan& plan) {
  return !plan.shared.empty() && plan.points > kBlockPoints;
}

std::int64_t chunk_points(const LoweredPlan& plan) { return std::min(plan.points, kSharedChunk); }

// One task's part of a run.
class Task {
 public:
  Task(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
       const Partition& partition, int index, std::atomic<int>& outcome)
      : plan_(plan),
        kernels_(kernels),
        memory_(memory),
        reader_(plan, kernels, memory.indices),
        partition_(partition),
        index_(index),
        outcome_(outcome) {
    block_.row_bytes = plan.row_bytes;
    block_.unit = plan.unit;
    block_.wide_offsets = plan.wide_offsets;
    block_.prefetch = plan.prefetch;
    kernel_ = plan.kernel == BlockKernel::kCount ? nullptr : kernel_for(plan.kernel);
    if (partition.cut == Cut::kRow) slice_rows();
    memory_.indirect += plan.indirect_first;
    if (partition.cut == Cut::kOwner) {
      const Range own =
          task_range(static_cast<std::int64_t>(plan.offset_count), partition.tasks, index);
      own_low_ = static_cast<std::uint64_t>(own.low);
      own_high_ = static_cast<std::uint64_t>(own.high);
    }
  }

  void run(std::byte* shared_offsets) {
    if (!plan_.shared.empty()) return run_shared(shared_offsets);
    if (plan_.tile > 0) return run_tiles();
    if (partition_.cut == Cut::kLoop) {
      const auto loop = static_cast<std::size_t>(partition_.loop);
      const Range range = task_range(plan_.addressed[loop].extent, partition_.tasks, index_);
      return run_box({partition_.loop, range.low, range.high}, {0, -1});
    }
    const bool cut = partition_.cut == Cut::kPoints && partition_.tasks > 1;
    run_box({}, cut ? task_range(plan_.points, partition_.tasks, index_) : Range{0, -1});
  }

 private:
  BlockFunction kernel_for(BlockKernel kernel) const {
    return kernels_.block[static_cast<std::size_t>(kernel)];
  }

  void slice_rows() {
    const Range slice = task_range(plan_.row_bytes, partition_.tasks, index_,
                                   std::max<std::int64_t>(plan_.element_bytes, 64));
    memory_.direct += slice.low;
    memory_.indirect += slice.low;
    block_.row_bytes = slice.high - slice.low;
    if (kernel_ != nullptr && block_.row_bytes > 0)
      kernel_ = kernel_for(find_block_kernel(kernel_query(plan_, block_.row_bytes)));
  }

  bool stopped() const { return outcome_.load(std::memory_order_relaxed) != 0; }
  void stop(RunOutcome outcome) {
    outcome_.store(static_cast<int>(outcome), std::memory_order_relaxed);
  }

  // Runs the kernel on the block, or on what of it this task owns.
  void run_block() {
    if (block_.count == 0 || block_.row_bytes == 0) return;
    Block block = block_;
    alignas(64) std::byte kept[kBlockPoints * 8];
    std::uint32_t positions[kBlockPoints];
    if (partition_.cut == Cut::kOwner) {
      block.count = kernels_.select_owned(block_.offsets, block_.wide_offsets, block_.count,
                                          own_low_, own_high_, kept, positions);
      if (block.count == 0) return;
      block.offsets = kept;
      block.positions = positions;
      block.any_outside = false;
    }
    if (plan_.string_kernel != nullptr) {
      if (!plan_.string_kernel(block)) stop(RunOutcome::kOutOfMemory);
    } else {
      kernel_(block);
    }
  }

  // The points [range.low, range.high) of a box of the addressed nest (high < 0: all), in blocks
  // that may run over several runs of the innermost loop as long as the direct side goes on at the
  // same step.
  void run_box(const Box& box, Range range) {
    NestCursor cursor(plan_.addressed, box);
    std::int64_t left = (range.high < 0 ? cursor.points() : range.high) - range.low;
    if (left <= 0) return;
    cursor.seek(range.low);
    alignas(64) std::byte offsets[kBlockPoints * 8];
    block_.offsets = offsets;
    block_.indirect = memory_.indirect;
    block_.direct_step = cursor.step(kDirectStream);
    block_.count = 0;
    unsigned flags = 0;
    while (left > 0) {
      std::byte* direct = memory_.direct + cursor.position(kDirectStream);
      if (block_.count > 0 && (block_.count == kBlockPoints ||
                               direct != block_.direct + block_.count * block_.direct_step)) {
        flush(flags);
        if (stopped()) return;
      }
      if (block_.count == 0) block_.direct = direct;
      const std::int64_t count = std::min({left, cursor.run_length(), kBlockPoints - block_.count});
      flags |= reader_.read(cursor, count, offsets + block_.count * offset_bytes(plan_));
      if ((flags & kIndexBad) != 0) return stop(RunOutcome::kBadIndex);
      block_.count += count;
      left -= count;
      cursor.advance(count);
    }
    flush(flags);
  }

  void flush(unsigned& flags) {
    block_.any_outside = (flags & kIndexOutside) != 0;
    run_block();
    block_.count = 0;
    flags = 0;
  }

  void run_tiles() {
    const int loop = static_cast<int>(plan_.addressed.size()) - 1;
    Range lanes{0, plan_.addressed.back().extent};
    if (partition_.cut == Cut::kLoop)
      lanes = task_range(lanes.high, partition_.tasks, index_, plan_.tile);
    for (std::int64_t low = lanes.low; low < lanes.high && !stopped(); low += plan_.tile)
      run_box({loop, low, std::min(low + plan_.tile, lanes.high)}, {0, -1});
  }

  // Offsets once per chunk, then every point of the shared loops with them.
  void run_shared(std::byte* offsets) {
    alignas(64) std::byte near_offsets[kBlockPoints * 8];
    if (offsets == nullptr) offsets = near_offsets;
    Range points{0, plan_.points};
    Range outer{0, plan_.shared_points};
    if (partition_.cut == Cut::kPoints) points = task_range(points.high, partition_.tasks, index_);
    if (partition_.cut == Cut::kShared) outer = task_range(outer.high, partition_.tasks, index_);
    if (points.low == points.high || outer.low == outer.high) return;
    NestCursor cursor(plan_.addressed, {});
    cursor.seek(points.low);
    block_.offsets = offsets;
    block_.direct_step = cursor.step(kDirectStream);
    for (std::int64_t low = points.low; low < points.high;) {
      const std::int64_t count = std::min(points.high - low, chunk_points(plan_));
      std::byte* direct = memory_.direct + cursor.position(kDirectStream);
      if (!read_chunk(cursor, count, offsets)) return stop(RunOutcome::kBadIndex);
      run_outer(direct, count, outer);
      low += count;
    }
  }

  bool read_chunk(NestCursor& cursor, std::int64_t count, std::byte* offsets) {
    unsigned flags = 0;
    for (std::int64_t done = 0; done < count;) {
      const std::int64_t now = std::min({count - done, cursor.run_length(), kBlockPoints});
      flags |= reader_.read(cursor, now, offsets + done * offset_bytes(plan_));
      if ((flags & kIndexBad) != 0) return false;
      cursor.advance(now);
      done += now;
    }
    block_.any_outside = (flags & kIndexOutside) != 0;
    return true;
  }

  void run_outer(std::byte* direct, std::int64_t count, const Range& outer) {
    NestCursor cursor(plan_.shared, {});
    cursor.seek(outer.low);
    for (std::int64_t left = outer.high - outer.low; left > 0 && !stopped(); --left) {
      block_.count = count;
      block_.direct = direct + cursor.position(kDirectStream);
      block_.indirect = memory_.indirect + cursor.position(kIndirectStream);
      run_block();
      cursor.advance(1);
    }
  }

  const LoweredPlan& plan_;
  const KernelTable& kernels_;
  RunMemory memory_;
  OffsetReader reader_;
  const Partition& partition_;
  int index_;
  std::atomic<int>& outcome_;
  BlockFunction kernel_ = nullptr;
  Block block_;
  std::uint64_t own_low_ = 0;
  std::uint64_t own_high_ = 0;
};

// What all tasks of a run share.
struct Run {
  const LoweredPlan& plan;
  const KernelTable& kernels;
  const RunMemory& memory;
  Partition partition;
  std::byte* scratch = nullptr;
  std::size_t scratch_per_task = 0;
  std::atomic<int> outcome{0};

  static void run_task(void* context, int index) {
    auto& run = *static_cast<Run*>(context);
    std::byte* scratch = run.scratch == nullptr
                             ? nullptr
                             : run.scratch + static_cast<std::size_t>(index) * run.scratch_per_task;
    Task(run.plan, run.kernels, run.memory, run.partition, index, run.outcome).run(scratch);
  }
};

std::size_t task_scratch_bytes(const LoweredPlan& plan) {
  if (!uses_shared_chunks(plan)) return 0;
  const std::int64_t bytes = chunk_points(plan) * offset_bytes(plan);
  return static_cast<std::size_t>((bytes + 63) / 64 * 64);
}

}  // namespace

std::size_t scratch_bytes(const LoweredPlan& plan, int threads) noexcept {
  if (plan.points == 0) return 0;
  return task_scratch_bytes(plan) * static_cast<std::size_t>(partition(plan, threads).tasks);
}

RunOutcome run_plan(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                    Threads* threads, std::span<std::byte> scratch) noexcept {
  if (plan.points == 0) return RunOutcome::kDone;
  if (plan.small) return run_small(plan, kernels, memory);
  Run run{plan,    kernels,
          memory,  partition(plan, threads == nullptr ? 1 : threads->count()),
          nullptr, task_scratch_bytes(plan)};
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
  if (run.partition.tasks == 1) {
    Run::run_task(&run, 0);
  } else {
    threads->parallel(run.partition.tasks, &Run::run_task, &run);
  }
  return static_cast<RunOutcome>(run.outcome.load());
}

}  // namespace windrow::internal
