#include "src/portability/cells.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "src/portability/given_values.h"

namespace windrow::internal {
namespace {

Dim fixed(std::int64_t extent) {
  Dim dim;
  dim.value = extent;
  return dim;
}

NodeView view_of(OperatorFamily family, const std::vector<std::int64_t>& extents) {
  NodeView view;
  view.family = family;
  view.columns.emplace();
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    view.columns->push_back({axis, fixed(extents[axis])});
  return view;
}

TEST(Cells, SecondUpdateOfACellIsFoundInRowMajorOrder) {
  const NodeView tuples = view_of(kScatterND, {4, 3});
  const Repeat found =
      find_repeat(tuples, Tensor::of<std::int64_t>({2, 2, 2}, {0, 1, 3, 2, -1, -1, 0, 1}));
  EXPECT_EQ(found.found, true);
  EXPECT_EQ(found.position, (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(find_repeat(tuples, Tensor::of<std::int64_t>({2, 2}, {0, 1, 1, 0})).found, false);
}

// In ScatterElements, an update's coordinates on the other axes are those of its own position.
TEST(Cells, OfElementsLieOnTheirOwnLine) {
  NodeView rows = view_of(kScatterElements, {4});
  rows.axis = 0;
  EXPECT_EQ(find_repeat(rows, Tensor::of<std::int32_t>({2, 2}, {1, 2, 2, 1})).found, false);
  const Repeat found = find_repeat(rows, Tensor::of<std::int32_t>({2, 2}, {1, 2, -3, 1}));
  EXPECT_EQ(found.position, (std::vector<std::int64_t>{1, 0}));
}

TEST(Cells, OfAnAxisOfUnknownExtentNeedPositiveIndices) {
  NodeView rows = view_of(kScatterUpdate, {1});
  rows.columns->front().extent = Dim();
  EXPECT_EQ(find_repeat(rows, Tensor::of<std::int64_t>({3}, {5, 7, 5})).found, true);
  EXPECT_EQ(find_repeat(rows, Tensor::of<std::int64_t>({2}, {5, 7})).found, false);
  EXPECT_EQ(find_repeat(rows, Tensor::of<std::int64_t>({2}, {5, -1})).found, std::nullopt);
}

TEST(Cells, OutOfRangeAreNone) {
  const NodeView rows = view_of(kScatterUpdate, {4});
  EXPECT_EQ(find_repeat(rows, Tensor::of<std::int64_t>({4}, {9, 9, -9, -9})).found, false);
  EXPECT_EQ(find_repeat(rows, Tensor::of<std::int64_t>({2}, {4, 4})).found, false);
}

// If indices are few and cells are many, the cells are sorted instead of marked.
TEST(Cells, BothWaysFindTheSame) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::int64_t> indices(20);
    for (std::int64_t& index : indices) index = static_cast<std::int64_t>(random() % 60);
    const Tensor tensor = Tensor::from<std::int64_t>({20}, indices);
    const Repeat few = find_repeat(view_of(kScatterUpdate, {60}), tensor);
    const Repeat many = find_repeat(view_of(kScatterUpdate, {std::int64_t{1} << 40}), tensor);
    EXPECT_EQ(few.found, many.found);
    EXPECT_EQ(few.position, many.position);
  }
}

TEST(Cells, HaveUpdatesInOrder) {
  const NodeView tuples = view_of(kScatterND, {4});
  std::vector<std::pair<std::int64_t, std::int64_t>> seen;
  const auto note = [&seen](std::int64_t update, std::int64_t cell) {
    seen.emplace_back(update, cell);
    return false;
  };
  EXPECT_FALSE(find_update(tuples, Tensor::of<std::int64_t>({2, 1}, {2, -4}), {4, 2}, note));
  EXPECT_EQ(seen,
            (std::vector<std::pair<std::int64_t, std::int64_t>>{{0, 4}, {1, 5}, {2, 0}, {3, 1}}));
}

TEST(TensorElements, OfEveryTypeOfIntegerAreRead) {
  EXPECT_EQ(integer_at(Tensor::of<std::int8_t>({2}, {1, -7}), 1), -7);
  EXPECT_EQ(integer_at(Tensor::of<std::uint64_t>({1}, {~std::uint64_t{0}}), 0), Interval::kHighest);
  EXPECT_EQ(element_text(Tensor::of<std::uint64_t>({1}, {~std::uint64_t{0}}), 0),
            "18446744073709551615");
  Tensor packed = Tensor::zeros(DType::kInt4, {3}).value();
  set_packed(DType::kInt4, packed.data(), 1, 0xf);
  EXPECT_EQ(integer_at(packed, 1), -1);
  EXPECT_EQ(element_text(packed, 1), "-1");
  EXPECT_EQ(element_text(Tensor::of<float>({2}, {0.1F, -0.0F}), 1), "-0");
  EXPECT_EQ(element_text(Tensor::of<std::string>({1}, {"a\nb"}), 0), "\"a\\nb\"");
}

}  // namespace
}  // namespace windrow::internal
