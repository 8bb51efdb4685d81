#include <algorithm>
#include <bit>
#include <cstring>

#include "src/base/memory.h"
#include "src/execute/offset_block.h"
#include "src/execute/partition.h"
#include "src/execute/run_boxes.h"
#include "src/execute/sorted_cells.h"
#include "src/execute/way_runners.h"
#include "src/plan/tuning.h"

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
// `most`. Those outside stay outside. What is there is doubled, so that no offset waits for one
// that was just written.
void repeat_offsets(std::byte* bytes, std::int64_t count, std::int64_t most, std::uint32_t step) {
  auto* offsets = reinterpret_cast<std::uint32_t*>(bytes);
  for (std::int64_t done = count, now = 0; done < most; done += now) {
    now = std::min(done, most - done);
    const auto more = static_cast<std::uint32_t>(done / count) * step;
    const std::uint32_t* from = offsets;
    std::uint32_t* to = offsets + done;
#pragma GCC ivdep
    for (std::int64_t j = 0; j < now; ++j)
      to[j] = from[j] == kOutside<std::uint32_t> ? kOutside<std::uint32_t> : from[j] + more;
  }
}

// Runs chunks of offsets, and moves what they address, for one task.
class ChunkRunner {
 public:
  // `offsets` must have room for one chunk and its copies.
  ChunkRunner(const RunContext& run, const SharedOffsets& way, std::byte* offsets)
      : run_(run), way_(way), reader_(run), mover_(run), offsets_(offsets) {
    if (way.look_up != Kernel::kCount) mover_.look_up(run.kernels.get<Family::kTake>(way.look_up));
  }

  BlockMover& mover() { return mover_; }

  // Runs a range of the addressed and a range of the shared points.
  void run(const Range& points, const Range& outer) {
    if (outer.low == outer.high) return;
    const bool whole = points.low == 0 && points.high == chunk_points(run_.plan, way_);
    const std::int64_t most = std::min(way_.copies, outer.high - outer.low);
    const std::int64_t rows = std::min(rows_between_looks(run_.plan.row_bytes), kBlockPoints);
    copies_ = whole ? std::max<std::int64_t>(std::min(most, rows / run_.plan.points), 1) : 1;
    const auto& flat = run_.plan.flat;
    NestCursor cursor(flat ? flat->nest : run_.plan.addressed, points.low);
    for (std::int64_t low = points.low; low < points.high && !run_.outcome.stopped();) {
      const std::int64_t count = std::min(points.high - low, chunk_points(run_.plan, way_));
      std::byte* direct = mover_.direct() + cursor.position(kDirectTrack);
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
      flags |= run_.plan.flat ? reader_.read_flat(cursor, cursor.run_position(), now, next)
                              : reader_.read(cursor, now, next);
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
    block.direct_step = run_.plan.addressed.back().strides[kDirectTrack];
    NestCursor cursor(run_.plan.shared, outer.low);
    const std::int64_t bytes = count * (run_.plan.row_bytes + run_.plan.offset_bytes());
    for (std::int64_t left = outer.high - outer.low, now = 0;
         left > 0 && !run_.outcome.stopped_after(now * bytes); left -= now) {
      now = std::min({left, cursor.run_length(), copies_});
      block.count = now * count;
      block.known = block.count;
      block.extent = static_cast<std::int64_t>(run_.plan.offset_count) + (now - 1) * copy_step();
      block.direct = direct + cursor.position(kDirectTrack);
      block.indirect = indirect + cursor.position(kIndirectTrack);
      cursor.advance(now);
      FetchAhead fetch;
      if (way_.fetched > 0 && left > now) {
        fetch.next = indirect + cursor.position(kIndirectTrack);
        fetch.end = fetch.next + way_.fetched;
      }
      mover_.move(block, &fetch);
    }
  }

  // The offset units from one point of the innermost shared loop to the next.
  std::uint32_t copy_step() const {
    return static_cast<std::uint32_t>(run_.plan.shared.back().strides[kIndirectTrack] /
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
      plan.points < tasks * kBlockPoints || plan.shared_points >= tasks * least_shared_share();
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

namespace {

constexpr std::int64_t kWord = sizeof(std::uint32_t);

bool is_element(const LoweredPlan& plan) {
  return plan.row_bytes <= 8 && std::has_single_bit(static_cast<std::uint64_t>(plan.row_bytes));
}

// Buckets of 2^shift offsets each, and the sizes of their memory.
struct Sizes {
  int shift = 0;
  std::int64_t buckets = 0;
  std::int64_t table_bytes = 0;    // one word for each task and bucket
  std::int64_t offsets_bytes = 0;  // one word for each point
  std::int64_t update_bytes = 0;   // of one point: an element, or the position of a row
  std::int64_t updates_bytes = 0;

  Sizes(const LoweredPlan& plan, const Buckets& way, int tasks) {
    const std::uint64_t shared =
        plan.offset_count / (kBucketsPerTask * static_cast<std::uint64_t>(tasks));
    const auto most = static_cast<std::uint64_t>(way.bytes / plan.unit);
    shift =
        static_cast<int>(std::bit_width(std::max<std::uint64_t>(std::min(shared, most), 1))) - 1;
    buckets = static_cast<std::int64_t>((plan.offset_count - 1) >> shift) + 1;
    table_bytes = whole_lines(tasks * buckets * kWord);
    offsets_bytes = whole_lines(plan.points * kWord);
    update_bytes = is_element(plan) ? plan.row_bytes : kWord;
    updates_bytes = whole_lines(plan.points * update_bytes);
  }

  std::int64_t bytes() const { return 2 * table_bytes + offsets_bytes + updates_bytes; }
};

// The place of the next update of each bucket, and the end of each bucket.
struct Places {
  std::uint32_t* next;
  const std::uint32_t* ends;
};

// Calls put(at, j) for each update j whose offset is inside, `at` being the next place of its
// bucket. Returns false if a bucket has more updates than were counted: the indices have changed
// since.
template <class Put>
bool place_each(const std::uint32_t* offsets, std::int64_t count, int shift, const Places& places,
                const Put& put) {
  for (std::int64_t j = 0; j < count; ++j) {
    if (offsets[j] == kOutside<std::uint32_t>) continue;
    const std::uint32_t bucket = offsets[j] >> shift;
    const std::uint32_t at = places.next[bucket];
    if (at == places.ends[bucket]) return false;
    places.next[bucket] = at + 1;
    put(at, j);
  }
  return true;
}

template <int kBytes>
bool place_elements(const std::uint32_t* offsets, std::int64_t count, int shift,
                    const Places& places, const std::byte* elements, std::int64_t step,
                    std::uint32_t* placed, std::byte* updates) {
  return place_each(offsets, count, shift, places, [&](std::size_t at, std::int64_t j) {
    placed[at] = offsets[j];
    std::memcpy(updates + at * kBytes, elements + j * step, kBytes);
  });
}

// One run that distributes its updates over buckets.
class BucketRun {
 public:
  BucketRun(const RunContext& run, const Sizes& sizes, int tasks, std::byte* scratch)
      : run_(run),
        plan_(run.plan),
        sizes_(sizes),
        tasks_(tasks),
        direct_step_(plan_.addressed.back().strides[kDirectTrack]),
        next_(reinterpret_cast<std::uint32_t*>(scratch)),
        ends_(reinterpret_cast<std::uint32_t*>(scratch + sizes.table_bytes)),
        offsets_(reinterpret_cast<std::uint32_t*>(scratch + 2 * sizes.table_bytes)),
        updates_(scratch + 2 * sizes.table_bytes + sizes.offsets_bytes) {}

  void run_all() {
    std::fill_n(next_, tasks_ * sizes_.buckets, 0U);
    parallel_for(tasks_, run_.threads, [this](int task) {
      read(task, [this, task](const std::uint32_t* offsets, std::int64_t count, std::int64_t) {
        count_block(offsets, count, next_of(task));
        return true;
      });
    });
    if (run_.outcome.stopped()) return;
    sum_counts();
    parallel_for(tasks_, run_.threads, [this](int task) { place(task); });
    if (run_.outcome.stopped()) return;
    parallel_for(tasks_, run_.threads, [this](int task) { fold(task); });
  }

 private:
  // Calls use(offsets, count, first) with the blocks of the task's points. If it returns false, or
  // an index is bad, the run stops.
  template <class Use>
  void read(int task, const Use& use) const {
    const Range points = task_range(plan_.points, tasks_, task);
    const OffsetReader reader(run_);
    NestCursor cursor(plan_.addressed, points.low);
    alignas(64) std::uint32_t offsets[kBlockPoints];
    std::int64_t first = points.low;
    for_each_block(cursor, points.high - points.low, kBlockPoints, [&](std::int64_t count) {
      const bool good = (reader.read(cursor, count, offsets) & kIndexBad) == 0;
      if (!good || !use(offsets, count, first)) run_.outcome.stop(RunOutcome::kBadIndex);
      first += count;
      return !run_.outcome.stopped_after(count * 2 * kWord);  // about the cost of a point
    });
  }

  void count_block(const std::uint32_t* offsets, std::int64_t count, std::uint32_t* counts) const {
    for (std::int64_t j = 0; j < count; ++j)
      if (offsets[j] != kOutside<std::uint32_t>) ++counts[offsets[j] >> sizes_.shift];
  }

  void place(int task) const {
    const Places places = {next_of(task), ends_of(task)};
    read(task, [&](const std::uint32_t* offsets, std::int64_t count, std::int64_t first) {
      return place_block(offsets, count, first, places);
    });
    // Unfilled places hold no offsets.
    if (!std::equal(places.next, places.next + sizes_.buckets, places.ends))
      run_.outcome.stop(RunOutcome::kBadIndex);
  }

  // Returns false if the indices have changed since they were counted.
  bool place_block(const std::uint32_t* offsets, std::int64_t count, std::int64_t first,
                   const Places& places) const;
  // Turns the counts into the places where the updates of each task and bucket begin and end.
  void sum_counts();
  void fold(int task) const;

  std::uint32_t* next_of(int task) const { return next_ + task * sizes_.buckets; }
  std::uint32_t* ends_of(int task) const { return ends_ + task * sizes_.buckets; }
  // The place of the first update of a bucket.
  std::int64_t bucket_begin(std::int64_t bucket) const {
    return bucket == 0 ? 0 : ends_of(tasks_ - 1)[bucket - 1];
  }

  const RunContext& run_;
  const LoweredPlan& plan_;
  const Sizes& sizes_;
  const int tasks_;
  std::int64_t direct_step_;
  std::uint32_t* next_;     // [tasks, buckets]: counts, then the place of the next update
  std::uint32_t* ends_;     // [tasks, buckets]: the end of the updates
  std::uint32_t* offsets_;  // [points]
  std::byte* updates_;      // [points]: elements, or positions of rows
};

bool BucketRun::place_block(const std::uint32_t* offsets, std::int64_t count, std::int64_t first,
                            const Places& places) const {
  if (!is_element(plan_)) {
    auto* positions = reinterpret_cast<std::uint32_t*>(updates_);
    return place_each(offsets, count, sizes_.shift, places, [&](std::size_t at, std::int64_t j) {
      offsets_[at] = offsets[j];
      positions[at] = static_cast<std::uint32_t>(first + j);
    });
  }
  const std::byte* elements = run_.memory.direct + first * direct_step_;
  const auto place = [&](auto place_as) {
    return place_as(offsets, count, sizes_.shift, places, elements, direct_step_, offsets_,
                    updates_);
  };
  switch (plan_.row_bytes) {
    case 1:
      return place(place_elements<1>);
    case 2:
      return place(place_elements<2>);
    case 4:
      return place(place_elements<4>);
    default:
      return place(place_elements<8>);
  }
}

void BucketRun::sum_counts() {
  std::uint32_t sum = 0;
  for (std::int64_t bucket = 0; bucket < sizes_.buckets; ++bucket) {
    for (int task = 0; task < tasks_; ++task) {
      std::uint32_t& entry = next_of(task)[bucket];
      const std::uint32_t count = entry;
      entry = sum;
      sum += count;
      ends_of(task)[bucket] = sum;
    }
  }
}

void BucketRun::fold(int task) const {
  const Range buckets = task_range(sizes_.buckets, tasks_, task);
  Block block;
  block.indirect = run_.cells();
  block.row_bytes = plan_.row_bytes;
  block.unit = plan_.unit;
  for (std::int64_t bucket = buckets.low; bucket < buckets.high; ++bucket) {
    const std::int64_t begin = bucket_begin(bucket);
    block.count = block.known = bucket_begin(bucket + 1) - begin;
    block.offsets = offsets_ + begin;
    if (is_element(plan_)) {
      block.direct = updates_ + begin * plan_.row_bytes;
      block.direct_step = plan_.row_bytes;
    } else {
      block.direct = run_.memory.direct;
      block.direct_step = direct_step_;
      block.positions = reinterpret_cast<const std::uint32_t*>(updates_) + begin;
    }
    if (block.count > 0) run_.kernel()(block);
    const std::int64_t bytes = block.count * (plan_.row_bytes + sizes_.update_bytes);
    if (run_.outcome.stopped_after(bytes)) return;
  }
}

}  // namespace

bool Runner<Buckets>::serves(const RunContext& run, int tasks) const {
  return way_.forced || (tasks > kMostOwners && must_cut_cells(run.plan, tasks));
}

Partition Runner<Buckets>::cut(const LoweredPlan& /*plan*/, int tasks) const {
  return {.cut = Cut::kCells, .tasks = tasks};
}

std::size_t Runner<Buckets>::scratch_bytes(const LoweredPlan& plan, int tasks) const {
  if (!way_.forced && tasks <= kMostOwners) return 0;
  return static_cast<std::size_t>(Sizes(plan, way_, tasks).bytes());
}

void Runner<Buckets>::run(const RunContext& run, const Partition& partition,
                          std::byte* scratch) const {
  const Sizes sizes(run.plan, way_, partition.tasks);
  BucketRun(run, sizes, partition.tasks, scratch).run_all();
}

void Runner<Buckets>::describe(const LoweredPlan& plan, PlanDescription& description) const {
  if (way_.forced) WayRunner::describe(plan, description);
}

bool Runner<SortedRanges>::serves(const RunContext& run, int tasks) const {
  return must_cut_cells(run.plan, tasks) && has_sorted_cells(run);
}

Partition Runner<SortedRanges>::cut(const LoweredPlan& /*plan*/, int tasks) const {
  return {.tasks = tasks};
}

// No other task has a cell of this range.
void Runner<SortedRanges>::run_task(const Task& task) const {
  const Range range = task.points();
  BoxRunner runner(task.run);
  runner.run({}, {next_cell_from(task.run, range.low), next_cell_from(task.run, range.high)});
  runner.finish();
}

// The description of Boxes mentions this way.
void Runner<SortedRanges>::describe(const LoweredPlan& /*plan*/,
                                    PlanDescription& /*description*/) const {}

}  // namespace windrow::internal
