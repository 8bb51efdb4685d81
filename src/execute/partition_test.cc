#include "src/execute/partition.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace windrow::internal {
namespace {

LoweredPlan plan_of(const LoopNest& addressed, std::int64_t row_bytes, bool scatter) {
  LoweredPlan plan;
  plan.scatter = scatter;
  plan.addressed = addressed;
  plan.points = point_count(addressed);
  plan.row_bytes = row_bytes;
  plan.element_bytes = 4;
  return plan;
}

TEST(TaskRange, CoversEverythingOnceAndInOrder) {
  for (const std::int64_t total : {0, 1, 7, 64, 1000}) {
    for (const int tasks : {1, 2, 5}) {
      for (const std::int64_t grain : {1, 16, 64}) {
        std::int64_t next = 0;
        for (int task = 0; task < tasks; ++task) {
          const Range range = task_range(total, tasks, task, grain);
          EXPECT_EQ(range.low, next);
          EXPECT_LE(range.low, range.high);
          EXPECT_TRUE(range.low % grain == 0 || range.low == total);
          next = range.high;
        }
        EXPECT_EQ(next, total);
      }
    }
  }
}

TEST(Partition, SmallWorkStaysOnOneThread) {
  EXPECT_EQ(partition(plan_of({{100, {4, 0, 8}}}, 4, false), RunMode::kBoxes, 8).tasks, 1);
}

TEST(Partition, GathersAreCutByPointsOrByRows) {
  const Partition points =
      partition(plan_of({{1000000, {64, 0, 8}}}, 64, false), RunMode::kBoxes, 4);
  EXPECT_EQ(points.cut, Cut::kPoints);
  EXPECT_EQ(points.tasks, 4);
  EXPECT_EQ(partition(plan_of({{2, {0, 0, 8}}}, 1 << 20, false), RunMode::kBoxes, 4).cut,
            Cut::kRow);
}

TEST(Partition, NoSliceOfARowIsShorterThanALine) {
  for (const std::int64_t row : {1, 63, 64, 65, 128, 129, 1000, 4097}) {
    const LoweredPlan plan = plan_of({{1, {0, 0, 8}}}, row, false);
    LoweredPlan forced = plan;
    forced.forced_tasks = 3;
    const Partition cut = partition(forced, RunMode::kBoxes, 5);
    EXPECT_EQ(cut.cut, Cut::kRow);
    std::int64_t next = 0;
    for (int task = 0; task < cut.tasks; ++task) {
      const Range slice = row_slice(plan, nullptr, cut.tasks, task);
      EXPECT_EQ(slice.low, next);
      EXPECT_GE(slice.high - slice.low, std::min<std::int64_t>(row, 64)) << row << ", " << task;
      next = slice.high;
    }
    EXPECT_EQ(next, row);
  }
}

TEST(LineRange, CoversEverythingOnceAndMeetsBetweenCacheLines) {
  alignas(64) std::byte line[64];
  for (const std::int64_t per_line : {1, 4, 16})
    for (const std::int64_t total : {1, 16, 33, 640})
      for (const int tasks : {1, 2, 5})
        for (const std::int64_t place : {0, 16, 48}) {
          std::int64_t next = 0;
          for (int task = 0; task < tasks; ++task) {
            const Range range = line_range(total, tasks, task, per_line, line + place);
            ASSERT_EQ(range.low, next);
            ASSERT_GE(range.high, range.low);
            next = range.high;
            if (task < tasks - 1 && task_range(total, tasks, task, per_line).high < total) {
              EXPECT_EQ((next + place * per_line / 64) % per_line, 0);
            }
          }
          EXPECT_EQ(next, total);
        }
}

TEST(Partition, SlicesOfLongRowsMeetBetweenCacheLines) {
  const LoweredPlan plan = plan_of({{1, {0, 0, 8}}}, 1000, false);
  alignas(64) std::byte rows[64];
  for (const int place : {0, 4, 16, 60, 63}) {
    std::int64_t next = 0;
    for (int task = 0; task < 3; ++task) {
      const Range slice = row_slice(plan, rows + place, 3, task);
      EXPECT_EQ(slice.low, next);
      EXPECT_GE(slice.high - slice.low, 256 - 64);
      next = slice.high;
      // An element of 4 bytes is never cut, not even where none begins at a line.
      EXPECT_TRUE(task == 2 || (next + place) % 64 == (place % 4 == 0 ? 0 : place)) << place;
    }
    EXPECT_EQ(next, 1000);
  }
}

TEST(Partition, ScattersAreCutWhereNoTwoTasksMeet) {
  // An index per point, one cell each: every task its own cells.
  EXPECT_EQ(partition(plan_of({{1000000, {4, 0, 8}}}, 4, true), RunMode::kBoxes, 2).cut,
            Cut::kOwner);
  // Long rows: every task its own slice.
  EXPECT_EQ(partition(plan_of({{1000, {4096, 0, 8}}}, 4096, true), RunMode::kBoxes, 2).cut,
            Cut::kRow);
  // A loop that keeps cells apart.
  const Partition loop = partition(
      plan_of({{1000, {4000, 4000, 8}, true}, {1000, {4, 0, 8}}}, 4, true), RunMode::kBoxes, 2);
  EXPECT_EQ(loop.cut, Cut::kLoop);
  EXPECT_EQ(loop.loop, 0);
}

// 16 lanes of 4 bytes are one cache line: tasks would write to it in turn.
TEST(Partition, LanesOfOneLineStayTogether) {
  const auto lanes = [](std::int64_t count) {
    return plan_of({{100000, {count * 4, 0, count * 8}}, {count, {4, 4, 8}, true}}, 4, true);
  };
  EXPECT_EQ(partition(lanes(16), RunMode::kBoxes, 2).cut, Cut::kOwner);
  const LoweredPlan wide = lanes(128);
  const Partition cut = partition(wide, RunMode::kBoxes, 2);
  EXPECT_EQ(cut.cut, Cut::kLoop);
  EXPECT_EQ(cut.loop, 1);
  EXPECT_EQ(loop_grain(wide, 1), 16);
  EXPECT_EQ(loop_grain(wide, 0), 1);
}

}  // namespace
}  // namespace windrow::internal
