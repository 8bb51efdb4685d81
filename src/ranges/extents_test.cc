#include <gtest/gtest.h>

#include <cstdint>

#include "src/ranges/ranges.h"

namespace windrow::internal {
namespace {

Dim fixed(std::int64_t extent) {
  Dim dim;
  dim.value = extent;
  return dim;
}

Dim symbolic(const char* name) {
  Dim dim;
  dim.symbol = name;
  return dim;
}

TEST(Extents, EqualityOfTwoExtentsIsAPremise) {
  Extents extents;
  const ExtentNumber a = extents.add("a.shape[0]", "N", 0, Interval::kHighest);
  extents.add("b.shape[1]", "N", 0, Interval::kHighest);
  extents.add("c.shape[0]", "", 0, Interval::kHighest);
  Interval interval{0, Interval::kHighest, {}, ExtentBound{a, -1}};
  Premises premises;
  EXPECT_TRUE(extents.is_below(interval, symbolic("a.shape[0]"), premises));
  EXPECT_TRUE(premises.empty());
  EXPECT_FALSE(extents.is_below(interval, symbolic("c.shape[0]"), premises));
  EXPECT_TRUE(extents.is_below(interval, symbolic("b.shape[1]"), premises));
  ASSERT_EQ(premises.size(), 1U);
  EXPECT_EQ(extents.premise_text(premises[0]), "a.shape[0] = b.shape[1], both called N");
  interval.below->offset = 0;
  EXPECT_FALSE(extents.is_below(interval, symbolic("a.shape[0]"), premises));
}

TEST(Extents, KnowTheLeastThatAnInputMayHave) {
  Extents extents;
  extents.add("a.shape[0]", "", 4, 9);
  Premises premises;
  EXPECT_TRUE(extents.is_below({0, 3}, symbolic("a.shape[0]"), premises));
  EXPECT_FALSE(extents.is_below({0, 4}, symbolic("a.shape[0]"), premises));
  EXPECT_TRUE(extents.is_at_least_minus({-4, 0}, symbolic("a.shape[0]"), premises));
  EXPECT_FALSE(extents.is_at_least_minus({-5, 0}, symbolic("a.shape[0]"), premises));
  EXPECT_TRUE(extents.is_below({0, 7}, fixed(8), premises));
  EXPECT_FALSE(extents.is_below({0, 8}, fixed(8), premises));
}

TEST(Extents, OfAnInputAreNotEmptyByAPremise) {
  Extents extents;
  extents.add("a.shape[0]", "", 0, Interval::kHighest);
  const Dim inner = extents.name_inner("v", 0, 0, Interval::kHighest);
  Premises premises;
  EXPECT_FALSE(extents.is_below({0, 0}, inner, premises));
  EXPECT_FALSE(extents.is_below({0, 1}, symbolic("a.shape[0]"), premises));
  EXPECT_FALSE(extents.is_at_least_minus({-2, 0}, symbolic("a.shape[0]"), premises));
  EXPECT_TRUE(premises.empty());
  EXPECT_TRUE(extents.is_below({-1, 0}, symbolic("a.shape[0]"), premises));
  EXPECT_TRUE(extents.is_at_least_minus({-1, 0}, symbolic("a.shape[0]"), premises));
  ASSERT_EQ(premises.size(), 1U);
  EXPECT_EQ(extents.premise_text(premises[0]), "a.shape[0] is at least 1");
}

TEST(Extents, ProductsOfTwoAreKnownInEitherOrder) {
  Extents extents;
  const ExtentNumber a = extents.add("a.shape[0]", "", 0, Interval::kHighest);
  const ExtentNumber b = extents.add("a.shape[1]", "", 0, Interval::kHighest);
  const Dim flat = extents.name_inner("v", 0, 0, Interval::kHighest);
  Interval interval{0, Interval::kHighest, {}, ExtentBound{b, -1, 1, a, 0}};
  Premises premises;
  EXPECT_FALSE(extents.is_below(interval, flat, premises));
  EXPECT_FALSE(extents.assume_below(interval, 1000000, premises));
  extents.set_product(extents.find(flat.symbol), a, b, {});
  EXPECT_TRUE(extents.is_below(interval, flat, premises));
  EXPECT_TRUE(premises.empty());
  EXPECT_TRUE(extents.assume_below(interval, std::int64_t{1} << 24, premises));
  interval.below->shift = 1;
  EXPECT_FALSE(extents.is_below(interval, flat, premises));
  EXPECT_EQ(extents.text_of(*interval.below), "(a.shape[1] + 1) * a.shape[0]");
}

TEST(Extents, AnExtentThatIsNamedAgainLiesInBothIntervals) {
  Extents extents;
  extents.name_inner("v", 0, 0, 1);
  const Dim again = extents.name_inner("v", 0, 0, 9);
  EXPECT_EQ(extents.extent_of(again).high, 9);
}

}  // namespace
}  // namespace windrow::internal
