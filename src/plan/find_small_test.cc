#include "src/plan/find_small.h"

#include <gtest/gtest.h>

#include "src/plan/merge_loops.h"
#include "src/plan/nest_fixture.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kStreams = kFirstAddressStream + 1;  // one index axis

LoweredPlan plan_of(const LoopNest& nest) {
  LoweredPlan plan;
  plan.element_bytes = 4;
  plan.row_bytes = 4;
  plan.kernel = Kernel::take_elements_4;
  plan.addressed = nest;
  plan.points = point_count(nest);
  plan.start = 100;
  AddressAxis axis;
  axis.extent = 10;
  axis.fused = true;
  axis.terms.emplace_back().stream = kFirstAddressStream;
  plan.axes.push_back(axis);
  return plan;
}

LoweredPlan one_loop(std::int64_t extent) { return plan_of({{extent, {4, 1, 8}}}); }

// Whether the stream changes by the same amount from each point to the next.
bool is_even(const std::vector<StreamValues>& points, std::size_t stream) {
  for (std::size_t p = 2; p < points.size(); ++p)
    if (points[p][stream] - points[p - 1][stream] != points[1][stream] - points[0][stream])
      return false;
  return true;
}

TEST(FindSmall, PointsStandWhereTheLoopsPutThem) {
  std::mt19937 random(5);
  int found = 0;
  for (int round = 0; round < 2000; ++round) {
    LoopNest nest = merge_loops(random_nest(random, kStreams));
    if (nest.empty()) continue;
    const LoweredPlan plan = plan_of(nest);
    const auto points = walk(nest, kStreams);
    const auto small = find_even_points(plan);
    const bool fits = plan.points <= kMostSmallPoints && is_even(points, kDirectStream) &&
                      is_even(points, kFirstAddressStream);
    ASSERT_EQ(small.has_value(), fits);
    if (!small) continue;
    ++found;
    ASSERT_EQ(small->offsets.size(), points.size());
    for (std::size_t p = 0; p < points.size(); ++p) {
      const auto number = static_cast<std::int64_t>(p);
      EXPECT_EQ(points[p][kDirectStream], number * small->direct_step);
      EXPECT_EQ(points[p][kFirstAddressStream], number * small->index_steps.front());
      EXPECT_EQ(small->offsets[p], static_cast<std::uint32_t>(100 + points[p][kIndirectStream]));
    }
  }
  EXPECT_GT(found, 100);
}

TEST(FindSmall, TheLimitsAreInclusive) {
  EXPECT_TRUE(find_even_points(one_loop(kMostSmallPoints)));
  EXPECT_FALSE(find_even_points(one_loop(kMostSmallPoints + 1)));
  LoweredPlan plan = one_loop(8);
  plan.row_bytes = kMostSmallBytes / 8 - 8;
  EXPECT_TRUE(find_even_points(plan));
  plan.row_bytes += 1;
  EXPECT_FALSE(find_even_points(plan));
  plan.row_bytes = INT64_MAX;
  EXPECT_FALSE(find_even_points(plan));
}

TEST(FindSmall, LeavesToTheLoopsWhatOneBlockDoesNotDo) {
  const auto refused = [](void (*change)(LoweredPlan&)) {
    LoweredPlan plan = one_loop(8);
    change(plan);
    return !find_even_points(plan);
  };
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.points = 0; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.kernel = Kernel::kCount; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.shared = plan.addressed; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.wide_offsets = true; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.axes.front().fused = false; }));
}

}  // namespace
}  // namespace windrow::internal
