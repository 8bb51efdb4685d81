#include "src/base/integers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace windrow::internal {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

TEST(CheckedMul, GivesTheProductWhereItFits) {
  EXPECT_EQ(checked_mul(6, -7), -42);
  EXPECT_EQ(checked_mul(kMax, 1), kMax);
  EXPECT_EQ(checked_mul(kMin, 0), 0);
}

TEST(CheckedMul, GivesNothingOnOverflow) {
  EXPECT_EQ(checked_mul(kMax, 2), std::nullopt);
  EXPECT_EQ(checked_mul(kMin, -1), std::nullopt);
  EXPECT_EQ(checked_mul(std::int64_t{1} << 32, std::int64_t{1} << 31), std::nullopt);
}

TEST(CheckedAdd, KnowsBothEnds) {
  EXPECT_EQ(checked_add(kMax - 1, 1), kMax);
  EXPECT_EQ(checked_add(kMax, 1), std::nullopt);
  EXPECT_EQ(checked_add(kMin, -1), std::nullopt);
  EXPECT_EQ(checked_add(kMin, kMax), -1);
}

TEST(SaturatingAdd, StopsAtTheEnds) {
  EXPECT_EQ(saturating_add(kMax, 1), kMax);
  EXPECT_EQ(saturating_add(kMin, -1), kMin);
  EXPECT_EQ(saturating_add(kMax, kMin), -1);
  EXPECT_EQ(saturating_add(2, 3), 5);
}

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

TEST(IndexValue, IntegersKeepTheirValueWhereTheyCan) {
  EXPECT_EQ(index_value(std::int8_t{-3}), -3);
  EXPECT_EQ(index_value(std::uint32_t{0xffffffff}), 0xffffffff);
  EXPECT_EQ(index_value(kLowest), kLowest);
  EXPECT_EQ(index_value(std::uint64_t{1} << 63), kHighest);
}

TEST(IndexValue, FloatsAreCutTowardZero) {
  EXPECT_EQ(index_value(2.9F), 2);
  EXPECT_EQ(index_value(-2.9), -2);
  EXPECT_EQ(index_value(0x1p62), std::int64_t{1} << 62);
}

TEST(IndexValue, FloatsThatNoIntegerHoldsAreFarBelow) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double value : {0x1p63, -0x1p63, 1e300, -1e300, kInfinity, -kInfinity})
    EXPECT_EQ(index_value(value), kLowest) << value;
  EXPECT_EQ(index_value(std::numeric_limits<float>::quiet_NaN()), kLowest);
}

}  // namespace
}  // namespace windrow::internal
