#include "src/execute/partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "src/execute/pairs_fixture.h"
#include "src/plan/nest_fixture.h"

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
  EXPECT_EQ(most_tasks(plan_of({{100, {4, 0, 8}}}, 4, false), 8), 1);
  EXPECT_EQ(most_tasks(plan_of({{1000000, {64, 0, 8}}}, 64, false), 8), 8);
  EXPECT_EQ(most_tasks(plan_of({{1000000, {64, 0, 8}}}, 64, false), 1), 1);
}

TEST(Partition, NoSliceOfARowIsShort) {
  for (const std::int64_t row : {1, 63, 64, 255, 511, 512, 513, 1000, 4097}) {
    const LoweredPlan plan = plan_of({{1, {0, 0, 8}}}, row, false);
    const Partition cut = cut_rows(plan, 3);
    EXPECT_EQ(cut.cut, Cut::kRow);
    std::int64_t next = 0;
    for (int task = 0; task < cut.tasks; ++task) {
      const Range slice = row_slice(plan, nullptr, cut.tasks, task);
      EXPECT_EQ(slice.low, next);
      EXPECT_GE(slice.high - slice.low, std::min(row, kLeastSliceBytes)) << row << ", " << task;
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
      // An element of 4 bytes is never divided, not even where no element begins at a cache line.
      EXPECT_TRUE(task == 2 || (next + place) % 64 == (place % 4 == 0 ? 0 : place)) << place;
    }
    EXPECT_EQ(next, 1000);
  }
}

// A string of some C++ libraries has 24 bytes, of which cache lines hold no whole number.
TEST(Partition, NoElementIsDividedWhateverItsSize) {
  alignas(64) std::byte rows[64];
  for (const std::int64_t element : {8, 16, 24, 32, 40}) {
    LoweredPlan plan = plan_of({{1, {0, 0, 8}}}, 100 * element, false);
    plan.element_bytes = element;
    for (const int place : {0, 8, 24, 48}) {
      for (int task = 0; task < 3; ++task)
        EXPECT_EQ(row_slice(plan, rows + place, 3, task).low % element, 0)
            << element << ", " << place;
    }
  }
}

TEST(ParallelFor, CallsEveryIndexOnce) {
  EightThreads threads;
  for (const int tasks : {1, 2, 8}) {
    std::vector<int> calls(static_cast<std::size_t>(tasks));
    parallel_for(tasks, &threads, [&](int index) { ++calls[static_cast<std::size_t>(index)]; });
    EXPECT_EQ(calls, std::vector<int>(static_cast<std::size_t>(tasks), 1));
  }
}

TEST(ParallelFor, OneTaskNeedsNoThreads) {
  int calls = 0;
  parallel_for(1, nullptr, [&](int index) { calls += index + 1; });
  EXPECT_EQ(calls, 1);
}

// The track values that a cursor visits from point `from` on.
std::vector<TrackValues> visit(const LoopNest& nest, const Box& box, std::int64_t from,
                               std::size_t tracks, std::int64_t longest) {
  NestCursor cursor(nest, box);
  cursor.seek(from);
  std::vector<TrackValues> values;
  for (std::int64_t left = cursor.points() - from; left > 0;) {
    const std::int64_t count = std::min({left, cursor.run_length(), longest});
    for (std::int64_t j = 0; j < count; ++j) {
      values.emplace_back();
      for (std::size_t s = 0; s < tracks; ++s)
        values.back().push_back(cursor.position(s) + j * cursor.step(s));
    }
    cursor.advance(count);
    left -= count;
  }
  return values;
}

TEST(NestCursor, VisitsEveryPointInOrderFromAnywhere) {
  std::mt19937 random(4);
  for (int round = 0; round < 500; ++round) {
    LoopNest nest = random_nest(random, 3);
    if (nest.empty()) nest.push_back({1, {0, 0, 0}});
    const auto all = walk(nest, 3);
    const auto from = static_cast<std::int64_t>(random() % all.size());
    ASSERT_EQ(visit(nest, {}, from, 3, 1 + static_cast<std::int64_t>(random() % 5)),
              std::vector<TrackValues>(all.begin() + from, all.end()));
  }
}

TEST(NestCursor, ABoxIsAPartOfOneLoop) {
  const LoopNest nest{{2, {100}}, {5, {10}}, {2, {1}}};
  EXPECT_EQ(visit(nest, {1, 2, 4}, 0, 1, 9),
            (std::vector<TrackValues>{{20}, {21}, {30}, {31}, {120}, {121}, {130}, {131}}));
}

}  // namespace
}  // namespace windrow::internal
