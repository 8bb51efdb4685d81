#include "src/reference/indices.h"

#include <gtest/gtest.h>

#include <limits>

namespace windrow::internal::reference {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

IndexRule rule(OutOfRange policy, Negatives negatives = Negatives::kCountFromEnd,
               std::int64_t extent = 3) {
  return index_rule(policy, negatives, Shape{extent}, 0);
}

TEST(IndexRule, ErrorAllowsNegativeIndicesDownToTheExtent) {
  EXPECT_EQ(rule(OutOfRange::kError).low, -3);
  EXPECT_EQ(rule(OutOfRange::kError).high, 2);
  EXPECT_EQ(rule(OutOfRange::kError, Negatives::kRefused).low, 0);
  EXPECT_EQ(rule(OutOfRange::kError, Negatives::kOutside).low, 0);
}

TEST(IndexRule, OtherPoliciesAllowAnyIndex) {
  for (const OutOfRange policy :
       {OutOfRange::kZero, OutOfRange::kSkip, OutOfRange::kClamp, OutOfRange::kModulo}) {
    EXPECT_EQ(rule(policy).low, kLowest);
    EXPECT_EQ(rule(policy).high, kHighest);
    EXPECT_EQ(rule(policy, Negatives::kRefused).low, 0);
    EXPECT_EQ(rule(policy, Negatives::kOutside).low, kLowest);
  }
}

TEST(IndexRule, AnEmptyAxisHasNoCoordinateToChoose) {
  for (const OutOfRange policy : {OutOfRange::kError, OutOfRange::kClamp, OutOfRange::kModulo}) {
    const IndexRule empty = rule(policy, Negatives::kCountFromEnd, 0);
    EXPECT_GT(empty.low, empty.high);
  }
  EXPECT_EQ(coordinate(rule(OutOfRange::kZero, Negatives::kCountFromEnd, 0), 0), std::nullopt);
}

TEST(Coordinate, ZeroAndSkip) {
  for (const OutOfRange policy : {OutOfRange::kZero, OutOfRange::kSkip}) {
    EXPECT_EQ(coordinate(rule(policy), 2), 2);
    EXPECT_EQ(coordinate(rule(policy), -3), 0);
    EXPECT_EQ(coordinate(rule(policy), 3), std::nullopt);
    EXPECT_EQ(coordinate(rule(policy), -4), std::nullopt);
    EXPECT_EQ(coordinate(rule(policy), kLowest), std::nullopt);
    EXPECT_EQ(coordinate(rule(policy, Negatives::kOutside), -1), std::nullopt);
  }
}

TEST(Coordinate, ClampCountsFromTheEndOnce) {
  const IndexRule clamp = rule(OutOfRange::kClamp);
  EXPECT_EQ(coordinate(clamp, -1), 2);
  EXPECT_EQ(coordinate(clamp, -4), 0);
  EXPECT_EQ(coordinate(clamp, kLowest), 0);
  EXPECT_EQ(coordinate(clamp, kHighest), 2);
  EXPECT_EQ(coordinate(rule(OutOfRange::kClamp, Negatives::kOutside), -1), 0);
}

TEST(Coordinate, ModuloIsNeverNegative) {
  const IndexRule wrap = rule(OutOfRange::kModulo);
  EXPECT_EQ(coordinate(wrap, 7), 1);
  EXPECT_EQ(coordinate(wrap, -1), 2);
  EXPECT_EQ(coordinate(wrap, -3), 0);
  EXPECT_EQ(coordinate(wrap, kLowest), 1);
  EXPECT_EQ(coordinate(rule(OutOfRange::kModulo, Negatives::kOutside), -1), 2);
}

TEST(NormalAxis, CountsFromTheEnd) {
  EXPECT_EQ(normal_axis(-3, 3), 0);
  EXPECT_EQ(normal_axis(2, 3), 2);
  EXPECT_EQ(normal_axis(3, 3), std::nullopt);
  EXPECT_EQ(normal_axis(-4, 3), std::nullopt);
  EXPECT_EQ(normal_axis(kLowest, 3), std::nullopt);
}

}  // namespace
}  // namespace windrow::internal::reference
