#include "src/execute/run_buckets.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "src/base/cache_line.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

constexpr std::uint32_t kOutside = ~std::uint32_t{0};

// Buckets of 2^shift offsets: a few for each task, so that uneven ones do not matter much, and no
// larger than a near cache.
int bucket_shift(const LoweredPlan& plan, int tasks) {
  constexpr std::uint64_t kBucketsPerTask = 4;
  const std::uint64_t shared =
      plan.offset_count / (kBucketsPerTask * static_cast<std::uint64_t>(tasks));
  const std::uint64_t most = static_cast<std::uint64_t>(kBucketBytes / plan.unit);
  return static_cast<int>(std::bit_width(std::max<std::uint64_t>(std::min(shared, most), 1))) - 1;
}

std::int64_t bucket_count(const LoweredPlan& plan, int tasks) {
  return static_cast<std::int64_t>((plan.offset_count - 1) >> bucket_shift(plan, tasks)) + 1;
}

bool is_element(const LoweredPlan& plan) {
  return plan.row_bytes <= 8 && std::has_single_bit(static_cast<std::uint64_t>(plan.row_bytes));
}

std::int64_t update_bytes(const LoweredPlan& plan) {
  return is_element(plan) ? plan.row_bytes : static_cast<std::int64_t>(sizeof(std::uint32_t));
}

// Where the next update of each bucket goes, and where it must not.
struct Places {
  std::uint32_t* next;
  const std::uint32_t* ends;
};

// Puts the updates whose offsets are inside at their bucket's next places, `put(at, j)` each.
// False: a bucket has more updates than were counted, so the indices have changed since.
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

}  // namespace

std::size_t bucket_scratch_bytes(const LoweredPlan& plan, int tasks) {
  return static_cast<std::size_t>(
      2 * whole_lines(tasks * bucket_count(plan, tasks) * std::int64_t{sizeof(std::uint32_t)}) +
      whole_lines(plan.points * std::int64_t{sizeof(std::uint32_t)}) +
      whole_lines(plan.points * update_bytes(plan)));
}

BucketRun::BucketRun(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                     int tasks, std::byte* scratch, Outcome& outcome)
    : plan_(plan),
      kernels_(kernels),
      memory_(memory),
      tasks_(tasks),
      outcome_(outcome),
      buckets_(bucket_count(plan, tasks)),
      shift_(bucket_shift(plan, tasks)),
      direct_step_(plan.addressed.back().strides[kDirectStream]),
      moves_elements_(is_element(plan)) {
  const auto take = [&scratch](std::int64_t bytes) {
    std::byte* part = scratch;
    scratch += whole_lines(bytes);
    return part;
  };
  constexpr std::int64_t kWord = sizeof(std::uint32_t);
  next_ = reinterpret_cast<std::uint32_t*>(take(tasks * buckets_ * kWord));
  ends_ = reinterpret_cast<std::uint32_t*>(take(tasks * buckets_ * kWord));
  offsets_ = reinterpret_cast<std::uint32_t*>(take(plan.points * kWord));
  updates_ = take(plan.points * update_bytes(plan));
}

void BucketRun::run(Threads* threads) {
  std::fill_n(next_, tasks_ * buckets_, 0U);
  run_step(Step::kCount, threads);
  if (outcome_.stopped()) return;
  sum_counts();
  run_step(Step::kPlace, threads);
  if (outcome_.stopped()) return;
  run_step(Step::kFold, threads);
}

void BucketRun::run_step(Step step, Threads* threads) {
  StepContext context{this, step};
  const auto task = [](void* opaque, int index) {
    const auto& [run, now] = *static_cast<StepContext*>(opaque);
    if (now == Step::kFold) {
      run->fold(index);
    } else {
      run->read(index, now);
    }
  };
  run_tasks(tasks_, task, &context, threads);
}

void BucketRun::read(int task, Step step) {
  const Range points = task_range(plan_.points, tasks_, task);
  if (points.low == points.high) return;
  const OffsetReader reader(plan_, kernels_, memory_.indices);
  NestCursor cursor(plan_.addressed, {});
  cursor.seek(points.low);
  alignas(64) std::uint32_t offsets[kBlockPoints];
  constexpr std::int64_t kBytes = 2 * sizeof(std::uint32_t);  // about, of a point
  for (std::int64_t first = points.low, count = 0;
       first < points.high && !outcome_.stopped_after(count * kBytes);) {
    count = std::min({points.high - first, cursor.run_length(), kBlockPoints});
    if ((reader.read(cursor, count, offsets) & kIndexBad) != 0)
      return outcome_.stop(RunOutcome::kBadIndex);
    if (step == Step::kCount) {
      count_block(offsets, count, next_of(task));
    } else if (!place_block(offsets, count, first, task)) {
      return outcome_.stop(RunOutcome::kBadIndex);
    }
    cursor.advance(count);
    first += count;
  }
  // Places that nothing was put at hold no offsets.
  if (step == Step::kPlace && !std::equal(next_of(task), next_of(task) + buckets_, ends_of(task)))
    outcome_.stop(RunOutcome::kBadIndex);
}

void BucketRun::count_block(const std::uint32_t* offsets, std::int64_t count,
                            std::uint32_t* counts) const {
  for (std::int64_t j = 0; j < count; ++j)
    if (offsets[j] != kOutside) ++counts[offsets[j] >> shift_];
}

bool BucketRun::place_block(const std::uint32_t* offsets, std::int64_t count, std::int64_t first,
                            int task) const {
  const Places places = {next_of(task), ends_of(task)};
  const std::byte* elements = memory_.direct + first * direct_step_;
  if (!moves_elements_) {
    auto* positions = reinterpret_cast<std::uint32_t*>(updates_);
    return place_each(offsets, count, shift_, places, [&](std::size_t at, std::int64_t j) {
      offsets_[at] = offsets[j];
      positions[at] = static_cast<std::uint32_t>(first + j);
    });
  }
  const auto place = [&](auto place_as) {
    return place_as(offsets, count, shift_, places, elements, direct_step_, offsets_, updates_);
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

// From counts to where the updates of each task and bucket begin and end.
void BucketRun::sum_counts() {
  std::uint32_t sum = 0;
  for (std::int64_t bucket = 0; bucket < buckets_; ++bucket) {
    for (int task = 0; task < tasks_; ++task) {
      std::uint32_t& entry = next_of(task)[bucket];
      const std::uint32_t count = entry;
      entry = sum;
      sum += count;
      ends_of(task)[bucket] = sum;
    }
  }
}

std::int64_t BucketRun::bucket_begin(std::int64_t bucket) const {
  return bucket == 0 ? 0 : ends_of(tasks_ - 1)[bucket - 1];
}

void BucketRun::fold(int task) {
  const Range buckets = task_range(buckets_, tasks_, task);
  for (std::int64_t bucket = buckets.low; bucket < buckets.high; ++bucket) {
    const std::int64_t begin = bucket_begin(bucket);
    Block block;
    block.count = block.known = bucket_begin(bucket + 1) - begin;
    block.offsets = offsets_ + begin;
    block.indirect = memory_.indirect + plan_.indirect_first;
    block.row_bytes = plan_.row_bytes;
    block.unit = plan_.unit;
    if (moves_elements_) {
      block.direct = updates_ + begin * plan_.row_bytes;
      block.direct_step = plan_.row_bytes;
    } else {
      block.direct = memory_.direct;
      block.direct_step = direct_step_;
      block.positions = reinterpret_cast<const std::uint32_t*>(updates_) + begin;
    }
    if (block.count > 0) kernels_.block(plan_.kernel)(block);
    if (outcome_.stopped_after(block.count * (plan_.row_bytes + update_bytes(plan_)))) return;
  }
}

}  // namespace windrow::internal
