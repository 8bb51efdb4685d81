#include <gtest/gtest.h>

#include <algorithm>

#include "src/execute/way_fixture.h"
#include "src/execute/way_runners.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kCells = 40;

// Updates of `row` elements each for the rows of a [kCells, row] tensor.
WayCall updates_call(std::int64_t points, std::int64_t row, Combine combine = Combine::kAdd) {
  return {{points, row}, {kCells, row}, 0, {0}, true, OutOfRange::kError, combine};
}

WayMemory sorted_memory(const WayCall& call) {
  WayMemory memory(call);
  for (std::int32_t& index : memory.indices)
    if (index < 0) index += kCells;
  std::sort(memory.indices.begin(), memory.indices.end());
  return memory;
}

const SortedRanges kWay;

TEST(SortedRanges, NoCellBelongsToTwoTasks) {
  for (const Combine combine : {Combine::kAdd, Combine::kAssign}) {
    for (const std::int64_t row : {1, 3}) {
      const WayCall call = updates_call(1000, row, combine);
      const LoweredPlan plan = call.lower();
      WayMemory memory = sorted_memory(call);
      for (const std::int64_t last : {kCells, std::int64_t{3}, std::int64_t{1}}) {
        // With few cells most tasks meet within one.
        for (std::int32_t& index : memory.indices)
          index = std::min(index, static_cast<std::int32_t>(last - 1));
        for (const int tasks : {1, 2, 8}) {
          const WayResult result = run_way(Runner<SortedRanges>(kWay), plan, memory, tasks);
          EXPECT_EQ(result.outcome, RunOutcome::kDone);
          EXPECT_EQ(result.written, expected(call, memory)) << last << ", " << tasks;
          EXPECT_EQ(result.most_writers, 1);
        }
      }
    }
  }
}

TEST(SortedRanges, ServeUpdatesInOrderThatNothingElseCuts) {
  const WayCall call = updates_call(1000, 1);
  const LoweredPlan plan = call.lower();
  const Runner<SortedRanges> runner(kWay);
  WayMemory memory = sorted_memory(call);
  EXPECT_TRUE(serves(runner, plan, memory, 2));
  EXPECT_FALSE(serves(runner, plan, memory, 1)) << "one task needs no cut";
  std::swap(memory.indices.front(), memory.indices.back());
  EXPECT_FALSE(serves(runner, plan, memory, 2)) << "not in order";
  const WayCall wide = updates_call(100, 200);
  EXPECT_FALSE(serves(runner, wide.lower(), sorted_memory(wide), 2)) << "rows can be cut";
}

}  // namespace
}  // namespace windrow::internal
