#include "src/plan/split_strides.h"

#include <gtest/gtest.h>

#include <vector>

namespace windrow::internal {
namespace {

std::vector<std::int64_t> positions(const Shape& shape, const Strides& strides) {
  std::vector<std::int64_t> all{0};
  for (int axis = 0; axis < shape.rank(); ++axis) {
    std::vector<std::int64_t> next;
    for (const std::int64_t start : all)
      for (std::int64_t i = 0; i < shape[axis]; ++i) next.push_back(start + i * strides[axis]);
    all = next;
  }
  return all;
}

TEST(SplitStrides, KeepsThePositionOfEveryElement) {
  struct Case {
    Shape shape;
    Strides strides;
    Shape loops;
  };
  const Case cases[] = {
      {{2, 6}, {100, 8}, {2, 2, 3}}, {{1, 6}, {7, -4}, {6}}, {{4, 1, 6}, {48, 5, 4}, {2, 2, 6}},
      {{24}, {4}, {2, 3, 4}},        {{1}, {4}, {}},         {{2, 3}, {12, 4}, {2, 3}},
  };
  for (const Case& c : cases)
    EXPECT_EQ(positions(c.loops, split_strides(c.shape, c.strides, c.loops)),
              positions(c.shape, c.strides))
        << to_string(c.shape) << " as " << to_string(c.loops);
}

TEST(SplitStrides, AShapeWithoutElementsIsFine) {
  EXPECT_EQ(split_strides({2, 0}, {0, 4}, {2, 0, 3}).rank(), 3);
}

}  // namespace
}  // namespace windrow::internal
