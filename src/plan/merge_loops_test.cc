#include "src/plan/merge_loops.h"

#include <gtest/gtest.h>

#include "src/plan/nest_fixture.h"

namespace windrow::internal {
namespace {

TEST(MergeLoops, KeepsTheSequenceOfAllStreams) {
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

}  // namespace
}  // namespace windrow::internal
