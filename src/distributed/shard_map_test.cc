#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "windrow/distributed.h"

namespace windrow {
namespace {

// Every row stands at one place, and every place of a rank holds one row.
void expect_bijection(const ShardMap& map) {
  std::int64_t all = 0;
  for (int rank = 0; rank < map.ranks(); ++rank) {
    all += map.rows_of(rank);
    for (std::int64_t row = 0; row < map.rows_of(rank); ++row) {
      const std::int64_t number = map.row_at({rank, row});
      ASSERT_GE(number, 0);
      ASSERT_LT(number, map.rows());
      ASSERT_EQ(map.place(number), (ShardPlace{rank, row}));
    }
  }
  EXPECT_EQ(all, map.rows());
}

TEST(ShardMapTest, ContiguousRowsFollowOneAnother) {
  const std::array<std::int64_t, 4> rows = {3, 0, 5, 0};
  const ShardMap map = ShardMap::contiguous(rows).value();
  expect_bijection(map);
  EXPECT_EQ(map.place(2), (ShardPlace{0, 2}));
  EXPECT_EQ(map.place(3), (ShardPlace{2, 0}));
}

TEST(ShardMapTest, HashedRowsAreDealtEvenly) {
  for (const std::int64_t rows : {0, 1, 2, 3, 7, 64, 65, 1000, 1025})
    for (const int ranks : {1, 2, 3, 8}) {
      const ShardMap map = ShardMap::hashed(rows, ranks).value();
      expect_bijection(map);
      EXPECT_LE(map.rows_of(0) - map.rows_of(ranks - 1), 1);
    }
}

// The first rows, which are the most wanted ones in many tables, and every 16th row.
TEST(ShardMapTest, HashedRowsThatAreWantedTogetherAreOnAllRanks) {
  const ShardMap map = ShardMap::hashed(1'000'000, 4).value();
  for (const std::int64_t step : {1, 4, 16, 1000}) {
    std::array<int, 4> counts = {};
    for (std::int64_t i = 0; i < 1000; ++i)
      counts[static_cast<std::size_t>(map.place(i * step).rank)] += 1;
    EXPECT_GT(*std::min_element(counts.begin(), counts.end()), 150) << "step " << step;
  }
}

TEST(ShardMapTest, LargeTables) {
  const std::int64_t rows = (std::int64_t{1} << 62) - 5;
  const ShardMap map = ShardMap::hashed(rows, 7).value();
  for (const std::int64_t row : {std::int64_t{0}, rows / 3, rows - 1})
    EXPECT_EQ(map.row_at(map.place(row)), row);
}

TEST(ShardMapTest, RefusesBadNumbers) {
  const std::vector<std::int64_t> negative = {3, -1};
  const std::vector<std::int64_t> many = {std::int64_t{1} << 62, 1};
  for (const auto& map :
       {ShardMap::contiguous({}), ShardMap::contiguous(negative), ShardMap::contiguous(many),
        ShardMap::hashed(-1, 2), ShardMap::hashed(5, 0)}) {
    ASSERT_FALSE(map);
    EXPECT_EQ(map.error().code(), ErrorCode::kInvalidArgument);
  }
  EXPECT_NE(ShardMap::contiguous(negative).error().message().find("rank 1 has -1"),
            std::string::npos);
}

}  // namespace
}  // namespace windrow
