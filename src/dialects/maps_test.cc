#include "src/dialects/maps.h"

#include <gtest/gtest.h>

#include "src/access/evaluate.h"
#include "src/dialects/test_support.h"

namespace windrow::internal {
namespace {

// That every point of `map` reads where `expected` says; the indices are input 1.
template <class Expected>
void expect_map(const AccessMap& map, const Tensor& indices, const Expected& expected) {
  const std::vector<TensorView> inputs{TensorView(), indices};
  ASSERT_TRUE(is_valid(map));
  ASSERT_NE(element_count(map.loops), 0);
  Dims point = Dims::filled(map.loops.rank(), 0);
  do {
    EXPECT_EQ(evaluate(map, inputs, point), Position(expected(point))) << to_string(point);
  } while (next_point(map.loops, point));
}

Tensor indices_of(const Shape& shape, std::initializer_list<std::int64_t> values) {
  return Tensor::of<std::int64_t>(shape, values);
}

TEST(SliceMap, BatchAxesBelongToDataAndIndices) {
  const Tensor indices = indices_of({2, 2}, {1, 0, 2, 3});
  const AccessMap map = slice_map({2, 3, 4}, {2, 2}, 2, 1, {});
  EXPECT_EQ(map.loops, Shape({2, 3, 2}));
  expect_map(map, indices, [&](const Dims& p) {
    return Dims{p[0], p[1],
                indices.values<std::int64_t>()[static_cast<std::size_t>(2 * p[0] + p[2])]};
  });
}

TEST(SliceMap, AllAxesOfTheIndicesMayBeBatchAxes) {
  const Tensor indices = indices_of({2}, {1, 0});
  const AccessMap map = slice_map({2, 3, 4}, {2}, 1, 1, {});
  EXPECT_EQ(map.loops, Shape({2, 4}));
  expect_map(map, indices, [](const Dims& p) { return Dims{p[0], 1 - p[0], p[1]}; });
}

TEST(TupleMap, BatchAxesOfExtentOneAreRepeated) {
  const Tensor indices = indices_of({3, 1, 1}, {2, 0, 1});
  const AccessMap over_data = tuple_map({1, 4}, {3, 1, 1}, 1, {});
  EXPECT_EQ(over_data.loops, Shape({3, 1}));
  const auto index = [&](std::int64_t i) {
    return indices.values<std::int64_t>()[static_cast<std::size_t>(i)];
  };
  expect_map(over_data, indices, [&](const Dims& p) { return Dims{0, index(p[0])}; });
  const Tensor one = indices_of({1, 1}, {3});
  const AccessMap over_indices = tuple_map({2, 4}, {1, 1}, 1, {});
  EXPECT_EQ(over_indices.loops, Shape({2}));
  expect_map(over_indices, one, [](const Dims& p) { return Dims{p[0], 3}; });
}

TEST(TupleMap, TwoBatchAxesMayBeRepeatedOnDifferentSides) {
  const Tensor indices = indices_of({2, 1, 2}, {0, 1, 1, 0});
  const AccessMap map = tuple_map({1, 3, 2, 2}, {2, 1, 2}, 2, {});
  EXPECT_EQ(map.loops, Shape({2, 3}));
  expect_map(map, indices, [](const Dims& p) { return Dims{0, p[1], p[0], 1 - p[0]}; });
}

TEST(TupleMap, ATupleOfLengthZeroTakesTheWholeSlice) {
  const AccessMap map = tuple_map({2, 3}, {4, 0}, 0, {});
  EXPECT_EQ(map.loops, Shape({4, 2, 3}));
  expect_map(map, Tensor::zeros(DType::kInt64, {4, 0}).value(), [](const Dims& p) {
    return Dims{p[1], p[2]};
  });
}

}  // namespace
}  // namespace windrow::internal
