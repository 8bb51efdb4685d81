#include "src/plan/choose_movement.h"

#include <gtest/gtest.h>

#include <limits>

#include "src/plan/thresholds.h"

namespace windrow::internal {
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
}  // namespace windrow::internal
