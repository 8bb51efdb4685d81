#include "src/plan/choose_offsets.h"

#include <gtest/gtest.h>

#include <limits>

#include "src/plan/nest_fixture.h"

namespace windrow::internal {
namespace {

LoweredPlan plan_of(const LoopNest& nest, const std::vector<std::int64_t>& extents) {
  LoweredPlan plan;
  plan.element_bytes = 4;
  plan.addressed = nest;
  for (const std::int64_t extent : extents) {
    AddressAxis axis;
    axis.extent = extent;
    plan.axes.push_back(axis);
  }
  return plan;
}

TEST(ChooseOffsets, OffsetsKeepTheBytePositions) {
  std::mt19937 random(2);
  for (int round = 0; round < 500; ++round) {
    const LoopNest nest = random_nest(random, 2);
    const auto extent = static_cast<std::int64_t>(1 + random() % 5);
    const std::int64_t stride = 4 * (static_cast<std::int64_t>(random() % 9) - 4);
    LoweredPlan plan = plan_of(nest, {extent});
    ASSERT_TRUE(choose_offsets({stride}, plan));
    const auto before = walk(nest, 2);
    const auto after = walk(plan.addressed, 2);
    for (std::size_t p = 0; p < before.size(); ++p) {
      for (std::int64_t c = 0; c < extent; ++c) {
        const std::uint64_t offset = plan.start +
                                     static_cast<std::uint64_t>(after[p][kIndirectStream]) +
                                     static_cast<std::uint64_t>(c) * plan.axes[0].multiplier;
        ASSERT_LT(offset, plan.offset_count);
        ASSERT_EQ(plan.indirect_first + static_cast<std::int64_t>(offset) * plan.unit,
                  before[p][kIndirectStream] + c * stride);
      }
    }
  }
}

TEST(ChooseOffsets, GoesTo64BitsWhenAllOnesIsNeeded) {
  for (const std::int64_t extent : {std::int64_t{0xffffffff}, std::int64_t{0x100000000}}) {
    LoweredPlan plan = plan_of({{1, {0, 0}}}, {extent});
    ASSERT_TRUE(choose_offsets({4}, plan));
    EXPECT_EQ(plan.wide_offsets, extent > 0xffffffff);
  }
}

TEST(ChooseOffsets, RefusesAddressesBeyond63Bits) {
  LoweredPlan plan = plan_of({{1, {0, 0}}}, {std::numeric_limits<std::int64_t>::max()});
  EXPECT_FALSE(choose_offsets({16}, plan));
}

}  // namespace
}  // namespace windrow::internal
