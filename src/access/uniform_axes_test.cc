#include "src/access/uniform_axes.h"

#include <gtest/gtest.h>

#include <optional>
#include <utility>
#include <vector>

namespace windrow::internal {
namespace {

AxisMap walked(int loop, std::int64_t extent) {
  AxisMap axis;
  axis.extent = extent;
  axis.loops = {{loop, 1}};
  return axis;
}

AxisMap indexed(int loop, std::int64_t extent) {
  AxisMap axis;
  axis.extent = extent;
  IndexTerm term;
  term.coordinates = {{loop, 0}};
  axis.terms.push_back(term);
  return axis;
}

// One index tensor, as the operator's first input.
std::vector<TensorSpec> indices(const Shape& shape, std::optional<Strides> strides = std::nullopt) {
  return {TensorSpec{DType::kInt64, shape, std::move(strides), nullptr}};
}

// Rows of data [4, 5, 6] by one index each: updates [4, 3, 6].
AccessMap rows() { return {{4, 3, 6}, {walked(0, 4), indexed(1, 5), walked(2, 6)}}; }

TEST(UniformAxes, AreThoseThatALoopOfTheirOwnWalks) {
  const AccessMap map = without_uniform_axes(rows(), indices({3}));
  EXPECT_EQ(map.loops, (Shape{1, 3, 1}));
  EXPECT_EQ(indirect_shape(map), (Shape{1, 5, 1}));
}

TEST(UniformAxes, IndicesThatVaryAlongTheLoopKeepIt) {
  AccessMap map = rows();
  map.axes[1].terms[0].coordinates = {{1, 0}, {2, 0}};
  EXPECT_EQ(indirect_shape(without_uniform_axes(map, indices({3, 6}))), (Shape{1, 5, 6}));
  EXPECT_EQ(indirect_shape(without_uniform_axes(map, indices({3, 6}, Strides{8, 24}))),
            (Shape{1, 5, 6}));
}

TEST(UniformAxes, IndicesThatAreTheSameElementAlongTheLoopDoNot) {
  AccessMap map = rows();
  map.axes[1].terms[0].coordinates = {{1, 0}, {2, 0}};
  EXPECT_EQ(indirect_shape(without_uniform_axes(map, indices({3, 6}, Strides{8, 0}))),
            (Shape{1, 5, 1}));
}

TEST(UniformAxes, PartsOfAnAxisKeepIt) {
  AccessMap fewer = rows();
  fewer.loops = {4, 3, 5};
  EXPECT_EQ(indirect_shape(without_uniform_axes(fewer, indices({3}))), (Shape{1, 5, 6}));
  AccessMap shifted = rows();
  shifted.axes[0].base = 1;
  shifted.axes[2].loops[0].coefficient = -1;
  EXPECT_EQ(indirect_shape(without_uniform_axes(shifted, indices({3}))), (Shape{4, 5, 6}));
}

TEST(UniformAxes, ALoopOfTwoAxesKeepsBoth) {
  AccessMap diagonal = rows();
  diagonal.axes[2].extent = 4;
  diagonal.axes[2].loops[0].loop = 0;
  EXPECT_EQ(indirect_shape(without_uniform_axes(diagonal, indices({3}))), (Shape{4, 5, 4}));
}

}  // namespace
}  // namespace windrow::internal
