#include <gtest/gtest.h>

#include <limits>

#include "src/plan/lowered_plan.h"

namespace windrow::internal {
namespace {

// Two points of shared loops, 3 x 5 addressed ones with rows of 24 bytes. The first axis has an
// index for each point, the second one an index for each of the inner loop.
LoweredPlan two_axes() {
  LoweredPlan plan;
  plan.shared = {{2, {360, 48}}};
  plan.shared_points = 2;
  plan.addressed = {{3, {120, 0, 40, 0}}, {5, {24, 0, 8, 4}}};
  plan.points = 15;
  plan.row_bytes = 24;
  plan.unit = 8;
  plan.kernel = Kernel::select_owned;
  AddressTerm each;
  each.dtype = DType::kInt64;
  each.element_bytes = 8;
  each.stream = 2;
  each.wraps = true;
  AddressTerm inner = each;
  inner.dtype = DType::kUint32;
  inner.element_bytes = 4;
  inner.stream = 3;
  inner.wraps = false;
  AddressAxis first;
  first.extent = 11;
  first.policy = OutOfRange::kClamp;
  first.fused = true;
  first.terms = {each};
  AddressAxis second;
  second.extent = 12;
  second.policy = OutOfRange::kZero;
  second.terms = {each, inner};
  plan.axes = {first, second};
  plan.ways = {Boxes{}};
  return plan;
}

PlanDescription described(const LoweredPlan& plan) {
  PlanDescription description;
  describe(plan, description);
  return description;
}

TEST(Describe, SaysWhichLoopsRunAndWhatTheyMove) {
  LoweredPlan plan = two_axes();
  PlanDescription description = described(plan);
  EXPECT_FALSE(description.empty);
  EXPECT_EQ(description.shared_loops, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(description.loops, (std::vector<std::int64_t>{3, 5}));
  EXPECT_FALSE(description.innermost_as_one);
  EXPECT_EQ(description.row_bytes, 24);
  EXPECT_EQ(description.moved_bytes, 2 * 15 * 24);
  EXPECT_EQ(description.offset_bits, 32);
  EXPECT_EQ(description.offset_unit, 8);
  EXPECT_EQ(description.kernel, "select_owned");
  plan.flat = FlatRuns{};
  plan.wide_offsets = true;
  plan.kernel = Kernel::kCount;
  description = described(plan);
  EXPECT_TRUE(description.innermost_as_one);
  EXPECT_EQ(description.offset_bits, 64);
  EXPECT_EQ(description.kernel, "strings");
}

TEST(Describe, SaysHowEachAxisReadsItsIndices) {
  const PlanDescription description = described(two_axes());
  ASSERT_EQ(description.index_axes.size(), 2U);
  const DescribedAxis& first = description.index_axes[0];
  EXPECT_EQ(first.extent, 11);
  EXPECT_EQ(first.out_of_range, OutOfRange::kClamp);
  EXPECT_TRUE(first.one_pass);
  ASSERT_EQ(first.indices.size(), 1U);
  const DescribedAxis& second = description.index_axes[1];
  EXPECT_EQ(second.extent, 12);
  EXPECT_FALSE(second.one_pass);
  ASSERT_EQ(second.indices.size(), 2U);
  EXPECT_EQ(second.indices[0].dtype, DType::kInt64);
  EXPECT_TRUE(second.indices[0].counts_from_end);
  EXPECT_EQ(second.indices[1].dtype, DType::kUint32);
  EXPECT_FALSE(second.indices[1].counts_from_end);
}

// A loop that a term does not vary with reads its indices again, which is counted once.
TEST(Describe, CountsEachIndexOnce) {
  EXPECT_EQ(described(two_axes()).index_bytes, 2 * 15 * 8 + 5 * 4);
}

TEST(Describe, SaysWhatIsWrittenPastTheCaches) {
  LoweredPlan plan = two_axes();
  plan.stream = true;
  plan.stream_start_from = 4000;
  plan.stream_sorted_start_from = 1000;
  const PlanDescription gather = described(plan);
  EXPECT_TRUE(gather.streams);
  EXPECT_FALSE(gather.stream_from);
  EXPECT_FALSE(gather.stream_ascending_from);
  plan.scatter = true;
  const PlanDescription scatter = described(plan);
  EXPECT_FALSE(scatter.streams);
  EXPECT_EQ(scatter.stream_from, 4000);
  EXPECT_EQ(scatter.stream_ascending_from, 1000);
  // Pieces copy the start by themselves.
  plan.ways = {Pieces{}, Boxes{}};
  EXPECT_FALSE(described(plan).stream_from);
  plan.ways = {Boxes{}};
  plan.stream_start_from = std::numeric_limits<std::int64_t>::max();
  EXPECT_FALSE(described(plan).stream_from) << "no size is large enough";
}

TEST(Describe, SaysWhatIsFetchedAhead) {
  LoweredPlan plan = two_axes();
  plan.ahead = 7;
  plan.fetch_updates = true;
  const PlanDescription description = described(plan);
  EXPECT_EQ(description.prefetch_rows, 7);
  EXPECT_TRUE(description.prefetches_updates);
}

TEST(Describe, LeavesADescriptionWithoutElementsAsItIs) {
  LoweredPlan plan = two_axes();
  plan.points = 0;
  const PlanDescription description = described(plan);
  EXPECT_TRUE(description.empty);
  EXPECT_TRUE(description.loops.empty());
  EXPECT_TRUE(description.index_axes.empty());
  EXPECT_EQ(description.row_bytes, 0);
  EXPECT_EQ(description.moved_bytes, 0);
}

}  // namespace
}  // namespace windrow::internal
