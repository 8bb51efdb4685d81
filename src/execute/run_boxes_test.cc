#include "src/execute/run_boxes.h"

#include <gtest/gtest.h>

#include "src/execute/way_runners.h"
#include "src/plan/thresholds.h"

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

Partition cut(const LoweredPlan& plan, int tasks) {
  return Runner<Boxes>(Boxes{}).cut(plan, tasks);
}

TEST(Boxes, GathersAreCutByPointsOrByRows) {
  const Partition points = cut(plan_of({{1000000, {64, 0, 8}}}, 64, false), 4);
  EXPECT_EQ(points.cut, Cut::kPoints);
  EXPECT_EQ(points.tasks, 4);
  EXPECT_EQ(cut(plan_of({{2, {0, 0, 8}}}, 1 << 20, false), 4).cut, Cut::kRow);
}

TEST(Boxes, ScattersAreCutWhereNoTwoTasksMeet) {
  // One index and one cell per point: every task has its own cells.
  const LoweredPlan cells = plan_of({{1000000, {4, 0, 8}}}, 4, true);
  EXPECT_EQ(cut(cells, 2).cut, Cut::kCells);
  EXPECT_TRUE(must_cut_cells(cells, 2));
  EXPECT_FALSE(must_cut_cells(cells, 1));
  EXPECT_EQ(cut(cells, 2 * kMostOwners).tasks, kMostOwners);
  // Long rows: every task has its own slice.
  EXPECT_EQ(cut(plan_of({{1000, {4096, 0, 8}}}, 4096, true), 2).cut, Cut::kRow);
  // A loop that keeps cells apart.
  const Partition loop =
      cut(plan_of({{1000, {4000, 4000, 8}, true}, {1000, {4, 0, 8}}}, 4, true), 2);
  EXPECT_EQ(loop.cut, Cut::kLoop);
  EXPECT_EQ(loop.loop, 0);
}

// 16 lanes of 4 bytes are one cache line. Two tasks that share it would take turns writing to it.
TEST(Boxes, LanesOfOneLineStayTogether) {
  const auto lanes = [](std::int64_t count) {
    return plan_of({{100000, {count * 4, 0, count * 8}}, {count, {4, 4, 8}, true}}, 4, true);
  };
  EXPECT_EQ(cut(lanes(16), 2).cut, Cut::kCells);
  const LoweredPlan wide = lanes(128);
  const Partition loop = cut(wide, 2);
  EXPECT_EQ(loop.cut, Cut::kLoop);
  EXPECT_EQ(loop.loop, 1);
  EXPECT_EQ(loop_grain(wide, 1), 16);
  EXPECT_EQ(loop_grain(wide, 0), 1);
}

TEST(Boxes, SayWhatATaskTakes) {
  LoweredPlan plan = plan_of({{1000000, {4, 0, 8}}}, 4, true);
  const auto share = [&plan] {
    PlanDescription description;
    Runner<Boxes>(Boxes{}).describe(plan, description);
    return description.thread_share;
  };
  EXPECT_EQ(share(), "the updates of a range of cells each");
  plan.ways = {SortedRanges{}, Boxes{}};
  EXPECT_EQ(share(), "the updates of a range of cells each; of sorted ones a range of the points");
}

}  // namespace
}  // namespace windrow::internal
