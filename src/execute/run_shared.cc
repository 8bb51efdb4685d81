#include <algorithm>

#include "src/base/cache_line.h"
#include "src/execute/block_mover.h"
#include "src/execute/nest_cursor.h"
#include "src/execute/offset_block.h"
#include "src/execute/way_runners.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

std::int64_t chunk_points(const LoweredPlan& plan, const SharedOffsets& way) {
  return std::min(way.chunk, rows_between_looks(plan.row_bytes));
}

// Offsets that are as few as a block's need no scratch.
constexpr std::int64_t kStackBytes = kBlockPoints * 4;

bool fits_on_stack(const LoweredPlan& plan, const SharedOffsets& way) {
  return chunk_points(plan, way) * way.copies * plan.offset_bytes() <= kStackBytes;
}

// Writes the first `count` offsets again and again, each time `step` larger, until there are
// `most`. Those outside stay outside.
void repeat_offsets(std::byte* bytes, std::int64_t count, std::int64_t most, std::uint32_t step) {
  constexpr std::uint32_t kOutside = ~std::uint32_t{0};
  auto* offsets = reinterpret_cast<std::uint32_t*>(bytes);
  for (std::int64_t j = count; j < most; ++j) {
    const std::uint32_t before = offsets[j - count];
    offsets[j] = before == kOutside ? kOutside : before + step;
  }
}

// Runs chunks of offsets, and moves what they address, for one task.
class ChunkRunner {
 public:
  // `offsets` must have room for one chunk and its copies.
  ChunkRunner(const RunContext& run, const SharedOffsets& way, std::byte* offsets)
      : run_(run), way_(way), reader_(run), mover_(run), offsets_(offsets) {}

  BlockMover& mover() { return mover_; }

  // Runs a range of the addressed and a range of the shared points.
  void run(const Range& points, const Range& outer) {
    if (outer.low == outer.high) return;
    const bool whole = points.low == 0 && points.high == chunk_points(run_.plan, way_);
    const std::int64_t most = std::min(way_.copies, outer.high - outer.low);
    const std::int64_t rows = std::min(rows_between_looks(run_.plan.row_bytes), kBlockPoints);
    copies_ = whole ? std::max<std::int64_t>(std::min(most, rows / run_.plan.points), 1) : 1;
    NestCursor cursor(run_.plan.addressed, points.low);
    for (std::int64_t low = points.low; low < points.high && !run_.outcome.stopped();) {
      const std::int64_t count = std::min(points.high - low, chunk_points(run_.plan, way_));
      std::byte* direct = mover_.direct() + cursor.position(kDirectStream);
      if (!read(cursor, count)) return run_.outcome.stop(RunOutcome::kBadIndex);
      if (copies_ > 1) repeat_offsets(offsets_, count, count * copies_, copy_step());
      run_outer(direct, count, outer);
      low += count;
    }
    mover_.finish();
  }

 private:
  // Returns false if an index is bad.
  bool read(NestCursor& cursor, std::int64_t count) {
    unsigned flags = 0;
    std::byte* next = offsets_;
    const bool good = for_each_block(cursor, count, kBlockPoints, [&](std::int64_t now) {
      flags |= reader_.read(cursor, now, next);
      next += now * run_.plan.offset_bytes();
      return (flags & kIndexBad) == 0;
    });
    any_outside_ = (flags & kIndexOutside) != 0;
    return good;
  }

  void run_outer(std::byte* direct, std::int64_t count, const Range& outer) {
    Block block = mover_.pattern();
    std::byte* const indirect = block.indirect;
    block.offsets = offsets_;
    block.any_outside = any_outside_;
    block.direct_step = run_.plan.addressed.back().strides[kDirectStream];
    NestCursor cursor(run_.plan.shared, outer.low);
    const std::int64_t bytes = count * (run_.plan.row_bytes + run_.plan.offset_bytes());
    for (std::int64_t left = outer.high - outer.low, now = 0;
         left > 0 && !run_.outcome.stopped_after(now * bytes); left -= now) {
      now = std::min({left, cursor.run_length(), copies_});
      block.count = now * count;
      block.known = block.count;
      block.direct = direct + cursor.position(kDirectStream);
      block.indirect = indirect + cursor.position(kIndirectStream);
      cursor.advance(now);
      FetchAhead fetch;
      if (way_.fetched > 0 && left > now) {
        fetch.next = indirect + cursor.position(kIndirectStream);
        fetch.end = fetch.next + way_.fetched;
      }
      mover_.move(block, &fetch);
    }
  }

  // The offset units from one point of the innermost shared loop to the next.
  std::uint32_t copy_step() const {
    return static_cast<std::uint32_t>(run_.plan.shared.back().strides[kIndirectStream] /
                                      run_.plan.unit);
  }

  const RunContext& run_;
  const SharedOffsets& way_;
  std::int64_t copies_ = 1;
  OffsetReader reader_;
  BlockMover mover_;
  std::byte* offsets_;
  bool any_outside_ = false;
};

}  // namespace

Partition Runner<SharedOffsets>::cut(const LoweredPlan& plan, int tasks) const {
  if (plan.scatter) {
    if (plan.shared_points >= tasks) return {.cut = Cut::kShared, .tasks = tasks};
    return plan.row_bytes >= tasks * kLeastSliceBytes ? cut_rows(plan, tasks) : Partition{};
  }
  // Tasks that divide the shared loops each compute the same offsets. This only pays if there are
  // few of them, in all or compared to the points that they serve.
  const bool few =
      plan.points < tasks * kBlockPoints || plan.shared_points >= tasks * kLeastSharedShare;
  if (few && plan.shared_points >= tasks) return {.cut = Cut::kShared, .tasks = tasks};
  if (plan.points >= tasks) return {.cut = Cut::kPoints, .tasks = tasks};
  return cut_rows(plan, tasks);
}

std::size_t Runner<SharedOffsets>::scratch_bytes(const LoweredPlan& plan, int tasks) const {
  if (fits_on_stack(plan, way_)) return 0;
  return static_cast<std::size_t>(
      tasks * whole_lines(chunk_points(plan, way_) * way_.copies * plan.offset_bytes()));
}

void Runner<SharedOffsets>::run_task(const Task& task) const {
  alignas(64) std::byte own[kStackBytes];
  const bool on_stack = fits_on_stack(task.run.plan, way_);
  ChunkRunner runner(task.run, way_, on_stack ? own : task.scratch);
  Range outer{0, task.run.plan.shared_points};
  if (task.partition.cut == Cut::kShared) outer = task.share(outer.high);
  if (task.partition.cut == Cut::kRow) runner.mover().slice_rows(task.slice());
  runner.run(task.points(), outer);
}

}  // namespace windrow::internal
