#include "src/access/evaluate.h"

#include <gtest/gtest.h>

#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace windrow::internal {
namespace {

constexpr std::int64_t kTop = std::numeric_limits<std::int64_t>::max();

// One axis of extent 5 that a rank-1 index tensor addresses, with a loop added to the coordinate if
// asked.
AccessMap one_axis(OutOfRange policy, Normalise normalise, bool with_loop = false) {
  AccessMap map;
  map.loops = {3};
  AxisMap axis;
  axis.extent = 5;
  axis.policy = policy;
  IndexTerm term;
  term.coordinates = {{0, 0}};
  term.normalise = normalise;
  axis.terms.push_back(term);
  if (with_loop) axis.loops.push_back({0, 1});
  map.axes.push_back(axis);
  return map;
}

std::optional<std::int64_t> coordinate(const AccessMap& map, std::int64_t index,
                                       std::int64_t loop = 0) {
  const std::int64_t indices[3] = {index, index, index};
  const TensorView view(DType::kInt64, {3}, indices);
  const auto position = evaluate(map, std::span(&view, 1), {loop});
  if (!position) return std::nullopt;
  return (*position)[0];
}

TEST(Evaluate, NegativeIndicesCountFromTheEndWhereTheyAreSaidTo) {
  EXPECT_EQ(coordinate(one_axis(OutOfRange::kZero, Normalise::kNegativeWraps), -2), 3);
  EXPECT_EQ(coordinate(one_axis(OutOfRange::kZero, Normalise::kAsIs), -2), std::nullopt);
}

TEST(Evaluate, PoliciesOutsideTheAxis) {
  const auto wraps = Normalise::kNegativeWraps;
  EXPECT_EQ(coordinate(one_axis(OutOfRange::kZero, wraps), 5), std::nullopt);
  EXPECT_EQ(coordinate(one_axis(OutOfRange::kSkip, wraps), -6), std::nullopt);
  EXPECT_EQ(coordinate(one_axis(OutOfRange::kClamp, wraps), 9), 4);
  EXPECT_EQ(coordinate(one_axis(OutOfRange::kClamp, wraps), -9), 0);
  EXPECT_EQ(coordinate(one_axis(OutOfRange::kModulo, wraps), 13), 3);
  EXPECT_EQ(coordinate(one_axis(OutOfRange::kModulo, wraps), -13), 2);
}

TEST(Evaluate, SumsOfIndexAndLoopDoNotOverflow) {
  EXPECT_EQ(coordinate(one_axis(OutOfRange::kSkip, Normalise::kAsIs, true), kTop, 2), std::nullopt);
  EXPECT_EQ(coordinate(one_axis(OutOfRange::kClamp, Normalise::kAsIs, true), kTop, 2), 4);
  EXPECT_EQ(coordinate(one_axis(OutOfRange::kModulo, Normalise::kAsIs, true), kTop, 2),
            (kTop % 5 + 2) % 5);
}

TEST(ReadIndex, EveryIntegerType) {
  const std::int8_t i8 = -3;
  const std::uint8_t u8 = 250;
  const std::int16_t i16 = -300;
  const std::uint16_t u16 = 65000;
  const std::int32_t i32 = -70000;
  const std::uint32_t u32 = 4000000000U;
  const std::int64_t i64 = -5;
  EXPECT_EQ(read_index(DType::kInt8, &i8), -3);
  EXPECT_EQ(read_index(DType::kUint8, &u8), 250);
  EXPECT_EQ(read_index(DType::kInt16, &i16), -300);
  EXPECT_EQ(read_index(DType::kUint16, &u16), 65000);
  EXPECT_EQ(read_index(DType::kInt32, &i32), -70000);
  EXPECT_EQ(read_index(DType::kUint32, &u32), 4000000000LL);
  EXPECT_EQ(read_index(DType::kInt64, &i64), -5);
}

TEST(ReadIndex, LargeUnsignedIndicesStayOutside) {
  const std::uint64_t u64 = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(read_index(DType::kUint64, &u64), kTop);
}

TEST(IsValid, RefusesAnAxisThatALoopLeaves) {
  AccessMap map;
  map.loops = {3};
  AxisMap axis;
  axis.extent = 3;
  axis.loops.push_back({0, 1});
  map.axes.push_back(axis);
  EXPECT_TRUE(is_valid(map));
  map.axes[0].extent = 2;
  EXPECT_FALSE(is_valid(map));
  map.loops = {0};
  EXPECT_TRUE(is_valid(map));
  map.axes[0].loops[0].loop = 1;
  EXPECT_FALSE(is_valid(map));
}

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
