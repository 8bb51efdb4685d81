#include <algorithm>
#include <bit>
#include <cstring>

#include "src/base/cache_line.h"
#include "src/execute/nest_cursor.h"
#include "src/execute/offset_block.h"
#include "src/execute/parallel_for.h"
#include "src/execute/run_boxes.h"
#include "src/execute/way_runners.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

constexpr std::uint32_t kOutside = ~std::uint32_t{0};
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
    if (offsets[j] == kOutside) continue;
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
        direct_step_(plan_.addressed.back().strides[kDirectStream]),
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
      if (offsets[j] != kOutside) ++counts[offsets[j] >> sizes_.shift];
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

}  // namespace windrow::internal
