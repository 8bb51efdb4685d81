#include "src/plan/take_row.h"

#include <gtest/gtest.h>

#include "src/plan/nest_fixture.h"

namespace windrow::internal {
namespace {

TEST(TakeRow, TakesAContiguousInnerLoop) {
  LoopNest nest{{3, {40, 80, 8}}, {10, {4, 4, 0}}};
  EXPECT_EQ(take_row(nest, 4), 10);
  ASSERT_EQ(nest.size(), 1U);
  EXPECT_EQ(nest[0].extent, 3);
}

TEST(TakeRow, PointsWithTheirRowsAreThePointsBefore) {
  const LoopNest before{{3, {40, 80, 8}}, {10, {4, 4, 0}}};
  LoopNest nest = before;
  const std::int64_t elements = take_row(nest, 4);
  std::vector<StreamValues> with_rows;
  for (const StreamValues& point : walk(nest, 3))
    for (std::int64_t e = 0; e < elements; ++e)
      with_rows.push_back({point[0] + 4 * e, point[1] + 4 * e, point[2]});
  EXPECT_EQ(with_rows, walk(before, 3));
}

TEST(TakeRow, LeavesLoopsThatAreNoRow) {
  const LoopNest others[] = {
      {},
      {{10, {4, 4, 8}}},   // an index varies
      {{10, {8, 4, 0}}},   // the direct side has gaps
      {{10, {4, -4, 0}}},  // the indirect side runs backwards
      {{10, {4, 0, 0}}},   // one cell for all
  };
  for (const LoopNest& other : others) {
    LoopNest nest = other;
    EXPECT_EQ(take_row(nest, 4), 1);
    EXPECT_EQ(nest.size(), other.size());
  }
}

}  // namespace
}  // namespace windrow::internal
