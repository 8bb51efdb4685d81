#include "src/distributed/routes.h"

#include <gtest/gtest.h>

#include <array>

namespace windrow::internal {
namespace {

template <class T>
std::vector<T> values(const Tensor& tensor) {
  return {tensor.values<T>().begin(), tensor.values<T>().end()};
}

constexpr std::array<std::int64_t, 3> kRowsOfRanks = {4, 0, 6};
constexpr std::array<std::int64_t, 7> kNumbers = {9, 1, -1, 9, 4, 1, 3};

TEST(RoutesTest, EachRowOfATakeStandsOnceInItsRanksPart) {
  const ShardMap map = ShardMap::contiguous(kRowsOfRanks).value();
  const TakeRoutes routes = route_take(map, kNumbers, DType::kInt32).value();
  EXPECT_EQ(routes.counts, (std::vector<std::int64_t>{2, 0, 2}));
  EXPECT_EQ(values<std::int32_t>(routes.rows), (std::vector<std::int32_t>{1, 3, 5, 0}));
  EXPECT_EQ(values<std::int64_t>(routes.places), (std::vector<std::int64_t>{2, 0, -1, 2, 3, 0, 1}));
}

TEST(RoutesTest, UpdatesKeepTheirOrder) {
  const ShardMap map = ShardMap::contiguous(kRowsOfRanks).value();
  const UpdateRoutes all = route_updates(map, kNumbers, DType::kInt64, Sent::kAll).value();
  EXPECT_EQ(all.counts, (std::vector<std::int64_t>{3, 0, 3}));
  EXPECT_EQ(values<std::int64_t>(all.rows), (std::vector<std::int64_t>{1, 1, 3, 5, 5, 0}));
  EXPECT_EQ(values<std::int64_t>(all.sources), (std::vector<std::int64_t>{1, 5, 6, 0, 3, 4}));
  const UpdateRoutes last = route_updates(map, kNumbers, DType::kInt32, Sent::kLast).value();
  EXPECT_EQ(last.counts, (std::vector<std::int64_t>{2, 0, 2}));
  EXPECT_EQ(values<std::int32_t>(last.rows), (std::vector<std::int32_t>{1, 3, 5, 0}));
  EXPECT_EQ(values<std::int64_t>(last.sources), (std::vector<std::int64_t>{5, 6, 3, 4}));
}

TEST(RoutesTest, OneOfTheUpdatesOfARowTravelsWithTheOthersInIt) {
  const ShardMap map = ShardMap::contiguous(kRowsOfRanks).value();
  const UpdateRoutes routes = route_updates(map, kNumbers, DType::kInt32, Sent::kCombined).value();
  EXPECT_EQ(routes.counts, (std::vector<std::int64_t>{2, 0, 2}));
  EXPECT_EQ(values<std::int32_t>(routes.rows), (std::vector<std::int32_t>{1, 3, 5, 0}));
  EXPECT_EQ(values<std::int64_t>(routes.sources), (std::vector<std::int64_t>{1, 6, 0, 4}));
  EXPECT_EQ(values<std::int64_t>(routes.combined),
            (std::vector<std::int64_t>{-1, -1, -1, 2, -1, 0, -1}));
}

}  // namespace
}  // namespace windrow::internal
