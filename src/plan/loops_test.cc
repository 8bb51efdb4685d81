#include "src/plan/loops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "src/plan/nest_fixture.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kTracks = kFirstAddressTrack + 1;  // one index axis
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
std::vector<TrackValues> walk_flat(const FlatRuns& flat) {
  std::vector<TrackValues> values = walk(flat.nest, kTracks);
  const std::int64_t extent = flat.nest.back().extent;
  for (std::size_t v = 0; v < values.size(); ++v) {
    const std::int64_t point = static_cast<std::int64_t>(v) % extent;
    const std::int64_t run = point / flat.length;
    values[v][kIndirectTrack] += run * static_cast<std::int64_t>(flat.step) +
                                 flat.pattern[static_cast<std::size_t>(point % flat.length)];
    for (std::size_t s = kFirstAddressTrack; flat.repeats && s < kTracks; ++s)
      values[v][s] += (run - point) * flat.nest.back().strides[s];
  }
  return values;
}

TEST(OrderForCopy, ThePointsStayTheSameInAnotherOrder) {
  std::mt19937 random(6);
  for (int round = 0; round < 300; ++round) {
    LoopNest nest = random_nest(random, kFirstAddressTrack);
    if (nest.empty()) continue;
    const LoopNest ordered = order_for_copy(nest);
    EXPECT_GE(ordered.size(), 3U);
    std::vector<TrackValues> before = walk(nest, kFirstAddressTrack);
    std::vector<TrackValues> after = walk(ordered, kFirstAddressTrack);
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    EXPECT_EQ(after, before);
  }
}

TEST(OrderForCopy, TheLastLoopsHaveTheSmallestSteps) {
  // A transposed tensor of [5, 6, 7], and one whose sides have the same order.
  const LoopNest turned = order_for_copy({{5, {168, 4}}, {6, {28, 20}}, {7, {4, 120}}});
  EXPECT_EQ(turned[2].extent, 7);
  EXPECT_EQ(turned[1].extent, 5);
  const LoopNest same = order_for_copy({{5, {168, 400}}, {6, {28, 60}}, {7, {4, 8}}});
  EXPECT_EQ(same[2].extent, 7);
  EXPECT_EQ(same[1].extent, 6);
}

TEST(OrderForCopy, LongLoopsComeLastWhereTheSmallestStepsAreThoseOfShortOnes) {
  // A transposed tensor of [2, 163, 3].
  const LoopNest middle = order_for_copy({{2, {489, 1}}, {163, {3, 2}}, {3, {1, 326}}});
  EXPECT_EQ(middle[2].extent, 163);
  EXPECT_EQ(middle[1].extent, 3);
}

TEST(FlattenRuns, ThePointsStayTheSame) {
  std::mt19937 random(5);
  int flattened = 0;
  for (int i = 0; i < 20000; ++i) {
    LoopNest nest = random_nest(random, kTracks);
    if (nest.size() < 2) continue;
    nest[nest.size() - 2].strides[kIndirectTrack] = static_cast<std::int64_t>(random() % 9);
    const std::optional<FlatRuns> flat = flatten_runs(plan_of(nest), kMost);
    if (!flat) continue;
    ++flattened;
    ASSERT_EQ(walk_flat(*flat), walk(nest, kTracks));
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

// A middle axis: its coordinates are four units apart, and each run has two rows of them.
TEST(FlattenRuns, AsManyLoopsAsGoOnJoin) {
  const LoopNest nest = {{5, {32, 12, 64}}, {2, {16, 0, 32}}, {4, {4, 1, 8}}};
  const FlatRuns flat = flatten_runs(plan_of(nest), 8).value();
  EXPECT_EQ(flat.loops, 3U);
  EXPECT_EQ(flat.length, 8);
  EXPECT_EQ(flat.nest.size(), 1U);
  EXPECT_EQ(walk_flat(flat), walk(nest, kTracks));
  EXPECT_EQ(flat.pattern[17], 2 * 12 + 0 + 1);
  const FlatRuns two = flatten_runs(plan_of(nest), 7).value();
  EXPECT_EQ(two.loops, 2U);
  EXPECT_EQ(walk_flat(two), walk(nest, kTracks));
}

// Rows with gaps on the indirect side: an index for each row.
TEST(FlattenRuns, RowsOfElementsWithGapsHaveAnIndexEach) {
  const LoopNest nest = {{5, {24, 0, 8}}, {2, {12, 9, 0}}, {3, {4, 2, 0}}};
  const FlatRuns flat = flatten_runs(plan_of(nest), 6).value();
  EXPECT_TRUE(flat.repeats);
  EXPECT_EQ(flat.loops, 3U);
  EXPECT_EQ(flat.pattern, (std::vector<std::uint32_t>{0, 2, 4, 9, 11, 13}));
  EXPECT_EQ(walk_flat(flat), walk(nest, kTracks));
  EXPECT_FALSE(flatten_runs(plan_of({{5, {40, 0, 8}}, {3, {4, 2, 0}}}), 6));
}

TEST(FlattenRuns, OnlyShortRunsThatGoOn) {
  EXPECT_TRUE(flatten_runs(plan_of(runs_of_three()), 3));
  EXPECT_FALSE(flatten_runs(plan_of(runs_of_three()), 2));
  const auto refused = [](auto change) {
    LoweredPlan plan = plan_of(runs_of_three());
    change(plan);
    return !flatten_runs(plan, kMost);
  };
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.addressed[0].strides[kDirectTrack] = 16; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.addressed[0].strides[2] = 0; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.addressed[0].strides[kIndirectTrack] = -7; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.addressed[1].strides[kIndirectTrack] = -2; }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.addressed.pop_back(); }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.axes.clear(); }));
  EXPECT_TRUE(refused([](LoweredPlan& plan) { plan.wide_offsets = true; }));
}

TEST(MergeLoops, KeepsTheSequenceOfAllTracks) {
  std::mt19937 random(1);
  std::size_t merged_nests = 0;
  for (int round = 0; round < 2000; ++round) {
    const LoopNest nest = random_nest(random, 3);
    const LoopNest merged = merge_loops(nest);
    merged_nests += merged.size() < nest.size() ? 1 : 0;
    ASSERT_EQ(walk(nest, 3), walk(merged, 3)) << "round " << round;
  }
  EXPECT_GT(merged_nests, 500U);
}

TEST(MergeLoops, LeavesNoTwoLoopsThatContinue) {
  const LoopNest merged = merge_loops({{2, {60, 60}}, {3, {20, 20}}, {5, {4, 4}}});
  ASSERT_EQ(merged.size(), 1U);
  EXPECT_EQ(merged[0].extent, 30);
  EXPECT_EQ(merged[0].strides, (std::vector<std::int64_t>{4, 4}));
}

TEST(MergeLoops, AMergedLoopIsInjectiveOnlyIfBothWere) {
  for (const bool outer : {false, true}) {
    for (const bool inner : {false, true}) {
      const LoopNest merged = merge_loops({{2, {12}, outer}, {3, {4}, inner}});
      ASSERT_EQ(merged.size(), 1U);
      EXPECT_EQ(merged[0].injective, outer && inner);
    }
  }
}

TEST(MergeLoops, ANestOfExtentOneIsEmpty) {
  EXPECT_TRUE(merge_loops({{1, {4}}, {1, {8}}}).empty());
}

TEST(MergeLoops, StridesThatOverflowDoNotMerge) {
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_EQ(merge_loops({{2, {0}}, {4, {huge}}}).size(), 2U);
}

std::vector<std::int64_t> positions(const Shape& shape, const Strides& strides) {
  std::vector<std::int64_t> all{0};
  for (int axis = 0; axis < shape.rank(); ++axis) {
    std::vector<std::int64_t> next;
    for (const std::int64_t start : all)
      for (std::int64_t i = 0; i < shape[axis]; ++i) next.push_back(start + i * strides[axis]);
    all = next;
  }
  return all;
}

TEST(SplitStrides, KeepsThePositionOfEveryElement) {
  struct Case {
    Shape shape;
    Strides strides;
    Shape loops;
  };
  const Case cases[] = {
      {{2, 6}, {100, 8}, {2, 2, 3}}, {{1, 6}, {7, -4}, {6}}, {{4, 1, 6}, {48, 5, 4}, {2, 2, 6}},
      {{24}, {4}, {2, 3, 4}},        {{1}, {4}, {}},         {{2, 3}, {12, 4}, {2, 3}},
  };
  for (const Case& c : cases)
    EXPECT_EQ(positions(c.loops, split_strides(c.shape, c.strides, c.loops)),
              positions(c.shape, c.strides))
        << to_string(c.shape) << " as " << to_string(c.loops);
}

TEST(SplitStrides, AShapeWithoutElementsIsFine) {
  EXPECT_EQ(split_strides({2, 0}, {0, 4}, {2, 0, 3}).rank(), 3);
}

TEST(BroadcastStrides, AlignsAtTheEndAndRepeatsOnes) {
  EXPECT_EQ(broadcast_strides({3, 4}, {16, 4}, {2, 3, 4}), Strides({0, 16, 4}));
  EXPECT_EQ(broadcast_strides({2, 1, 4}, {50, 7, -4}, {2, 3, 4}), Strides({50, 0, -4}));
  EXPECT_EQ(broadcast_strides({}, {}, {2, 3}), Strides({0, 0}));
  EXPECT_EQ(broadcast_strides({1}, {8}, {2, 3}), Strides({0, 0}));
}

TEST(BroadcastStrides, DropsLeadingOnes) {
  EXPECT_EQ(broadcast_strides({1, 1, 2, 3}, {9, 9, 12, 4}, {2, 3}), Strides({12, 4}));
  EXPECT_EQ(broadcast_strides({1}, {8}, {}), Strides());
}

TEST(BroadcastStrides, TheSameShapeKeepsItsStrides) {
  EXPECT_EQ(broadcast_strides({2, 0}, {100, 4}, {2, 0}), Strides({100, 4}));
}

}  // namespace
}  // namespace windrow::internal
