#include "windrow/shape.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace windrow {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(Dims, AppendStopsAtTheLargestRank) {
  Dims dims = Dims::filled(kMaxRank - 1, 2);
  EXPECT_FALSE(dims.append(Dims{1, 2, 3}, 0, 2));
  EXPECT_EQ(dims.rank(), kMaxRank - 1);
  EXPECT_TRUE(dims.append(Dims{1, 2, 3}, 2, 3));
  EXPECT_EQ(dims.back(), 3);
  EXPECT_FALSE(dims.push_back(1));
  EXPECT_EQ(dims.rank(), kMaxRank);
}

TEST(Dims, EqualIfRankAndValuesAre) {
  EXPECT_EQ((Dims{2, 3}), (Dims{2, 3}));
  EXPECT_NE((Dims{2, 3}), (Dims{2, 3, 1}));
  EXPECT_NE((Dims{2, 3}), (Dims{3, 2}));
  EXPECT_EQ(Dims{}, Dims{});
}

TEST(ElementCount, MultipliesExtents) {
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({2, 3, 4}), 24);
  EXPECT_EQ(element_count({kMax}), kMax);
}

TEST(ElementCount, AZeroExtentWinsOverOverflow) {
  EXPECT_EQ(element_count({kMax, 0, 1}), 0);
  EXPECT_EQ(element_count({kMax, kMax, 0}), 0);
}

TEST(ElementCount, NothingForNegativeExtentOrOverflow) {
  EXPECT_EQ(element_count({2, -1}), std::nullopt);
  EXPECT_EQ(element_count({0, -1}), std::nullopt);
  EXPECT_EQ(element_count({kMax, 2}), std::nullopt);
}

TEST(RowMajorStrides, CountBytes) {
  EXPECT_EQ(row_major_strides({2, 3, 4}, 8), (Strides{96, 32, 8}));
  EXPECT_EQ(row_major_strides({}, 8), Strides{});
}

TEST(RowMajorStrides, OfNoElementsAreNeverZeroAndDoNotOverflow) {
  EXPECT_EQ(row_major_strides({5, 0}, 4), (Strides{4, 4}));
  EXPECT_EQ(row_major_strides({kMax, 0, kMax}, 4), (Strides{4, 4, 4}));
}

TEST(ToString, OfDims) {
  EXPECT_EQ(to_string(Dims{}), "[]");
  EXPECT_EQ(to_string(Dims{2, -3}), "[2, -3]");
}

}  // namespace
}  // namespace windrow
