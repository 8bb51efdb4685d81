#include "src/base/index_value.h"

#include <gtest/gtest.h>

namespace windrow::internal {
namespace {

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
