#include "src/plan/flatten_runs.h"

#include <gtest/gtest.h>

#include <vector>

#include "src/plan/nest_fixture.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kStreams = kFirstAddressStream + 1;  // one index axis
constexpr std::int64_t kMost = 4;

LoweredPlan plan_of(const LoopNest& nest) {
  LoweredPlan plan;
  plan.addressed = nest;
  plan.axes.resize(1);
  return plan;
}

// Runs of three points. Each has 24 bytes of indices and 12 of the direct side; runs are seven
// units apart.
LoopNest runs_of_three() { return {{5, {12, 7, 24}}, {3, {4, 2, 8}}}; }

// The points of flat runs, as the points of the loops that they replace.
std::vector<StreamValues> walk_flat(const FlatRuns& flat) {
  std::vector<StreamValues> values = walk(flat.nest, kStreams);
  const std::int64_t extent = flat.nest.back().extent;
  for (std::size_t v = 0; v < values.size(); ++v) {
    const std::int64_t point = static_cast<std::int64_t>(v) % extent;
    values[v][kIndirectStream] += point / flat.length * static_cast<std::int64_t>(flat.step) +
                                  flat.pattern[static_cast<std::size_t>(point % flat.length)];
  }
  return values;
}

TEST(FlattenRuns, ThePointsStayTheSame) {
  std::mt19937 random(5);
  int flattened = 0;
  for (int i = 0; i < 20000; ++i) {
    LoopNest nest = random_nest(random, kStreams);
    if (nest.size() < 2) continue;
    nest[nest.size() - 2].strides[kIndirectStream] = static_cast<std::int64_t>(random() % 9);
    const std::optional<FlatRuns> flat = flatten_runs(plan_of(nest), kMost);
    if (!flat) continue;
    ++flattened;
    ASSERT_EQ(walk_flat(*flat), walk(nest, kStreams));
  }
  EXPECT_GT(flattened, 1000);
}

// A block may begin at any point of a run and reads the pattern from there.
TEST(FlattenRuns, ThePatternGoesOnForABlock) {
  const FlatRuns flat = flatten_runs(plan_of(runs_of_three()), kMost).value();
  ASSERT_EQ(flat.pattern.size(), static_cast<std::size_t>(kBlockPoints + 3));
  for (std::size_t j = 0; j < flat.pattern.size(); ++j)
    EXPECT_EQ(flat.pattern[j], j / 3 * 7 + j % 3 * 2) << j;
}

TEST(FlattenRuns, OnlyShortRunsThatGoOn) {
  EXPECT_TRUE(flatten_runs(plan_of(runs_of_three()), 3));
  EXPECT_FALSE(flatten_runs(plan_of(runs_of_three()), 2));
  const auto refused = [](auto change) {
    LoweredPlan plan = plan_of(runs_of_three());
    change(plan);
    return !flatten_runs(plan, kMost);
  };
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.addressed[0].strides[kDirectStream] = 16; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.addressed[0].strides[2] = 0; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.addressed[0].strides[kIndirectStream] = -7; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.addressed[1].strides[kIndirectStream] = -2; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.addressed.pop_back(); }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.axes.clear(); }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.wide_offsets = true; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.shared.resize(1); }));
}

}  // namespace
}  // namespace windrow::internal
