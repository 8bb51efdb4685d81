#include "src/base/checked.h"

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

}  // namespace
}  // namespace windrow::internal
