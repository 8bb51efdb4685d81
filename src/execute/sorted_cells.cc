#include "src/execute/sorted_cells.h"

#include <algorithm>
#include <atomic>
#include <optional>

#include "src/execute/interruption.h"
#include "src/execute/nest_cursor.h"
#include "src/execute/offset_block.h"
#include "src/execute/partition.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kSampledPoints = 32;

template <class Offset>
bool ascends(const Offset* offsets, std::int64_t count) {
  unsigned falls = 0;
  for (std::int64_t j = 1; j < count; ++j) falls |= offsets[j] < offsets[j - 1] ? 1U : 0U;
  return falls == 0;
}

struct Search {
  const LoweredPlan& plan;
  OffsetReader reader;
  Interruption* interruption = nullptr;
  int tasks = 1;
  std::atomic<bool> sorted{true};

  // The offset of one point; nothing where its index is bad.
  std::optional<std::uint64_t> offset_of(std::int64_t point) const {
    NestCursor cursor(plan.addressed, {});
    cursor.seek(point);
    if (plan.wide_offsets) return read_one<std::uint64_t>(cursor);
    return read_one<std::uint32_t>(cursor);
  }

  template <class Offset>
  std::optional<std::uint64_t> read_one(const NestCursor& cursor) const {
    Offset offset = 0;
    if ((reader.read(cursor, 1, &offset) & kIndexBad) != 0) return std::nullopt;
    return offset;
  }

  template <class Offset>
  void look_at(const Range& points) {
    if (points.low == points.high) return;
    NestCursor cursor(plan.addressed, {});
    cursor.seek(points.low);
    alignas(64) Offset offsets[kBlockPoints + 1];
    offsets[0] = points.low == 0 ? 0 : static_cast<Offset>(offset_of(points.low - 1).value_or(0));
    for (std::int64_t left = points.high - points.low; left > 0 && sorted.load();) {
      const std::int64_t count = std::min({left, cursor.run_length(), kBlockPoints});
      const unsigned flags = reader.read(cursor, count, offsets + 1);
      if ((flags & kIndexBad) != 0 || !ascends(offsets, count + 1) ||
          is_interrupted(interruption, count * std::int64_t{sizeof(Offset)}))
        sorted.store(false);
      offsets[0] = offsets[count];
      cursor.advance(count);
      left -= count;
    }
  }

  static void run_task(void* context, int index) {
    auto& search = *static_cast<Search*>(context);
    const Range points = task_range(search.plan.points, search.tasks, index);
    search.plan.wide_offsets ? search.look_at<std::uint64_t>(points)
                             : search.look_at<std::uint32_t>(points);
  }
};

bool has_sorted_sample(const Search& search) {
  const std::int64_t step = std::max<std::int64_t>(search.plan.points / kSampledPoints, 1);
  std::uint64_t before = 0;
  for (std::int64_t point = 0; point < search.plan.points; point += step) {
    const std::optional<std::uint64_t> offset = search.offset_of(point);
    if (!offset || *offset < before) return false;
    before = *offset;
  }
  return true;
}

}  // namespace

bool may_have_sorted_cells(const LoweredPlan& plan, const KernelTable& kernels,
                           const RunMemory& memory) {
  return has_sorted_sample({plan, OffsetReader(plan, kernels, memory.indices)});
}

bool has_sorted_cells(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                      Threads* threads) {
  Search search{plan, OffsetReader(plan, kernels, memory.indices), memory.interruption};
  if (!has_sorted_sample(search)) return false;
  search.tasks = useful_tasks(plan.points, kLeastTaskIndices, threads);
  run_tasks(search.tasks, &Search::run_task, &search, threads);
  return search.sorted.load();
}

std::int64_t next_cell_from(const LoweredPlan& plan, const KernelTable& kernels,
                            const RunMemory& memory, std::int64_t point) {
  if (point == 0) return 0;
  const Search search{plan, OffsetReader(plan, kernels, memory.indices)};
  const std::optional<std::uint64_t> before = search.offset_of(point - 1);
  std::int64_t high = plan.points;
  while (point < high) {
    const std::int64_t middle = point + (high - point) / 2;
    if (search.offset_of(middle) > before) {
      high = middle;
    } else {
      point = middle + 1;
    }
  }
  return point;
}

}  // namespace windrow::internal
