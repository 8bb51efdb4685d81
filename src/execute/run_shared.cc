#include "src/execute/run_shared.h"

#include <algorithm>

#include "src/base/cache_line.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

std::int64_t offset_bytes(const LoweredPlan& plan) { return plan.wide_offsets ? 8 : 4; }
std::int64_t chunk_points(const LoweredPlan& plan) {
  return std::min({plan.points, kSharedChunk, rows_between_looks(plan.row_bytes)});
}

// The bytes that the points of one shared point may address; 0 if they are not fetched ahead.
std::int64_t fetched_bytes(const LoweredPlan& plan) {
  if (plan.offset_count > static_cast<std::uint64_t>(kMostFetchedAtOnce / plan.unit)) return 0;
  return static_cast<std::int64_t>(plan.offset_count - 1) * plan.unit + plan.row_bytes;
}

}  // namespace

std::size_t SharedRunner::scratch_bytes(const LoweredPlan& plan) {
  const std::int64_t bytes = chunk_points(plan) * offset_bytes(plan);
  return static_cast<std::size_t>(whole_lines(bytes));
}

void SharedRunner::run(Range points, Range outer, std::byte* offsets) {
  if (points.low == points.high || outer.low == outer.high) return;
  NestCursor cursor(plan_.addressed, {});
  cursor.seek(points.low);
  for (std::int64_t low = points.low; low < points.high && !outcome_.stopped();) {
    const std::int64_t count = std::min(points.high - low, chunk_points(plan_));
    std::byte* direct = memory_.direct + cursor.position(kDirectStream);
    if (!read_chunk(cursor, count, offsets)) return outcome_.stop(RunOutcome::kBadIndex);
    run_outer(direct, count, offsets, outer);
    low += count;
  }
  mover_.finish();
}

bool SharedRunner::read_chunk(NestCursor& cursor, std::int64_t count, std::byte* offsets) {
  unsigned flags = 0;
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t now = std::min({count - done, cursor.run_length(), kBlockPoints});
    flags |= reader_.read(cursor, now, offsets + done * offset_bytes(plan_));
    if ((flags & kIndexBad) != 0) return false;
    cursor.advance(now);
    done += now;
  }
  any_outside_ = (flags & kIndexOutside) != 0;
  return true;
}

void SharedRunner::run_outer(std::byte* direct, std::int64_t count, const std::byte* offsets,
                             const Range& outer) {
  Block block = mover_.pattern();
  block.count = count;
  block.known = count;
  block.offsets = offsets;
  block.any_outside = any_outside_;
  block.direct_step = plan_.addressed.back().strides[kDirectStream];
  const std::int64_t fetched = fetched_bytes(plan_);
  NestCursor cursor(plan_.shared, {});
  cursor.seek(outer.low);
  const std::int64_t bytes = count * (plan_.row_bytes + offset_bytes(plan_));
  for (std::int64_t left = outer.high - outer.low; left > 0 && !outcome_.stopped_after(bytes);
       --left) {
    block.direct = direct + cursor.position(kDirectStream);
    block.indirect = memory_.indirect + cursor.position(kIndirectStream);
    cursor.advance(1);
    FetchAhead fetch;
    if (fetched > 0 && left > 1) {
      fetch.next = memory_.indirect + cursor.position(kIndirectStream);
      fetch.end = fetch.next + fetched;
    }
    mover_.move(block, &fetch);
  }
}

}  // namespace windrow::internal
