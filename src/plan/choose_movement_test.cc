#include "src/plan/choose_movement.h"

#include <gtest/gtest.h>

#include <limits>

#include "src/plan/nest_fixture.h"
#include "src/plan/tuning.h"

namespace windrow::internal {

namespace {

Family family_of(bool scatter, Fold fold, std::int64_t row_bytes) {
  LoweredPlan plan;
  plan.dtype = DType::kFloat32;
  plan.scatter = scatter;
  plan.fold = fold;
  plan.row_bytes = row_bytes;
  EXPECT_TRUE(choose_kernel(plan));
  EXPECT_NE(plan.kernel, Kernel::kCount);
  return plan.family;
}

TEST(ChooseKernel, ElementsAreRowsOfAPowerOfTwo) {
  for (const std::int64_t bytes : {1, 2, 4, 8, 16})
    EXPECT_EQ(family_of(false, Fold::kNone, bytes), Family::kTakeElements);
  for (const std::int64_t bytes : {3, 12, 17, 32, 1000})
    EXPECT_EQ(family_of(false, Fold::kNone, bytes), Family::kCopyRows);
}

TEST(ChooseKernel, ScattersAssignOrReduce) {
  EXPECT_EQ(family_of(true, Fold::kNone, 4), Family::kAssign);
  EXPECT_EQ(family_of(true, Fold::kAdd, 64), Family::kReduce);
}

TEST(ChooseKernel, StringsHaveTheirOwn) {
  LoweredPlan plan;
  plan.dtype = DType::kString;
  plan.row_bytes = plan.element_bytes = dtype_bits(DType::kString) / 8;
  EXPECT_TRUE(choose_kernel(plan));
  EXPECT_NE(plan.string_kernel, nullptr);
  EXPECT_EQ(kernel_name(plan), "strings");
  plan.scatter = true;
  plan.fold = Fold::kMul;
  EXPECT_EQ(choose_kernel(plan).code(), ErrorCode::kUnsupported);
}

}  // namespace

namespace {

constexpr std::int64_t kCache = std::int64_t{2} << 20;

LoweredPlan rows(std::int64_t points, std::int64_t row_bytes, std::int64_t table_rows) {
  LoweredPlan plan;
  plan.points = points;
  plan.row_bytes = plan.unit = row_bytes;
  plan.offset_count = static_cast<std::uint64_t>(table_rows);
  return plan;
}

LoweredPlan choose(LoweredPlan plan, Tuning tuning = {}) {
  tuning.second_level_bytes = kCache;
  choose_movement(tuning, plan);
  return plan;
}

TEST(ChooseMovement, RowsAreFetchedAheadOfTablesBeyondHalfTheCache) {
  const std::int64_t near = near_bytes(kCache) / 64;
  EXPECT_EQ(choose(rows(100, 64, near + 1)).ahead, 0);
  EXPECT_EQ(choose(rows(100, 64, near + 2)).ahead, rows_ahead(64));
  EXPECT_EQ(choose(rows(100, 4, near * 16 + 2)).ahead, 0);
  EXPECT_EQ(choose(rows(100, 4, kFetchElementsBytes / 4 + 2)).ahead, kElementsAhead);
}

TEST(ChooseMovement, LargeResultsAreWrittenPastTheCaches) {
  EXPECT_FALSE(choose(rows(kStreamBytes / 64 - 1, 64, 10)).stream);
  EXPECT_TRUE(choose(rows(kStreamBytes / 64, 64, 10)).stream);
}

TEST(ChooseMovement, AStartGrowsWithTheLinesThatItsUpdatesTouch) {
  LoweredPlan plan = rows(1000, 4, 10);
  plan.scatter = true;
  plan = choose(plan);
  EXPECT_EQ(plan.stream_start_from, kStreamStartBytes + 1000 * 64);
  EXPECT_EQ(plan.stream_sorted_start_from, kStreamStartBytes);
  EXPECT_EQ(choose(rows(kStreamAnyStartBytes, 4, 10)).stream_start_from, kStreamAnyStartBytes);
}

TEST(ChooseMovement, UpdatesAreFetchedAheadIfTheyAreMany) {
  LoweredPlan plan = rows(kFetchUpdatesBytes / 64, 64, 10);
  EXPECT_FALSE(choose(plan).fetch_updates);
  plan.scatter = true;
  EXPECT_TRUE(choose(plan).fetch_updates);
  plan.points -= 1;
  EXPECT_FALSE(choose(plan).fetch_updates);
}

TEST(ChooseMovement, LeversForceEach) {
  Tuning tuning;
  tuning.prefetch = 5;
  tuning.stream = true;
  LoweredPlan plan = choose(rows(10, 64, 10), tuning);
  EXPECT_EQ(plan.ahead, 5);
  EXPECT_EQ(plan.stream_from, 0);
  EXPECT_TRUE(plan.stream);
  tuning.stream = false;
  plan = choose(rows(kStreamBytes, 64, 10), tuning);
  EXPECT_FALSE(plan.stream);
  EXPECT_EQ(plan.stream_start_from, std::numeric_limits<std::int64_t>::max());
}

}  // namespace

namespace {

TEST(TakeRow, TakesAContiguousInnerLoop) {
  LoopNest nest{{3, {40, 80, 8}}, {10, {4, 4, 0}}};
  EXPECT_EQ(take_row(nest, 4), 10);
  ASSERT_EQ(nest.size(), 1U);
  EXPECT_EQ(nest[0].extent, 3);
}

TEST(TakeRow, PointsWithTheirRowsAreThePointsBefore) {
  const LoopNest before{{3, {40, 80, 8}}, {10, {4, 4, 0}}};
  LoopNest nest = before;
  const std::int64_t elements = take_row(nest, 4);
  std::vector<StreamValues> with_rows;
  for (const StreamValues& point : walk(nest, 3))
    for (std::int64_t e = 0; e < elements; ++e)
      with_rows.push_back({point[0] + 4 * e, point[1] + 4 * e, point[2]});
  EXPECT_EQ(with_rows, walk(before, 3));
}

TEST(TakeRow, LeavesLoopsThatAreNoRow) {
  const LoopNest others[] = {
      {},
      {{10, {4, 4, 8}}},   // an index varies
      {{10, {8, 4, 0}}},   // the direct side has gaps
      {{10, {4, -4, 0}}},  // the indirect side runs backwards
      {{10, {4, 0, 0}}},   // one cell for all
  };
  for (const LoopNest& other : others) {
    LoopNest nest = other;
    EXPECT_EQ(take_row(nest, 4), 1);
    EXPECT_EQ(nest.size(), other.size());
  }
}

}  // namespace

}  // namespace windrow::internal
