#include "src/plan/share_offsets.h"

#include <gtest/gtest.h>

#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

// Outer rows that are part of no address, then `points` points with an index each. Each row begins
// `gap` bytes after the one before on the direct side.
LoopNest rows_of(std::int64_t points, bool injective, std::int64_t gap = 0) {
  return {{5, {points * 4 + gap, 4000, 0}, injective}, {points, {4, 0, 8}}};
}

std::size_t shared_loops(LoopNest nest, bool scatter) {
  LoweredPlan plan;
  plan.scatter = scatter;
  const std::size_t loops = nest.size();
  share_offsets(nest, plan);
  EXPECT_EQ(nest.size() + plan.shared.size(), loops);
  return plan.shared.size();
}

TEST(ShareOffsets, LeadingLoopsWithoutAnAddressAreShared) {
  EXPECT_EQ(shared_loops(rows_of(kLeastSharedPoints, false), false), 1U);
  EXPECT_EQ(shared_loops(rows_of(kLeastSharedPoints, false, 4), false), 1U);
}

TEST(ShareOffsets, AFewPointsOfAGatherAreSharedIfOuterPointsMakeUpABlock) {
  const std::int64_t few = kLeastSharedPoints - 1;
  EXPECT_EQ(shared_loops(rows_of(few, false), false), 1U);
  EXPECT_EQ(shared_loops(rows_of(few, false, 4), false), 0U);
  EXPECT_EQ(shared_loops(rows_of(few, true), true), 0U);
  EXPECT_EQ(shared_loops(rows_of(1, false), false), 1U);
  EXPECT_EQ(shared_loops({rows_of(1, false).front()}, false), 0U);
}

TEST(ShareOffsets, AScatterNeedsThemInjective) {
  EXPECT_EQ(shared_loops(rows_of(1000, true), true), 1U);
  EXPECT_EQ(shared_loops(rows_of(1000, false), true), 0U);
}

TEST(ShareOffsets, TheRestIsDenseOnTheDirectSide) {
  LoopNest nest = rows_of(1000, true);
  nest.push_back({2, {2, 0, 4}});
  EXPECT_EQ(shared_loops(nest, false), 1U);
  nest.back().strides[kDirectStream] = 1;
  EXPECT_EQ(shared_loops(nest, false), 0U);
}

}  // namespace
}  // namespace windrow::internal
