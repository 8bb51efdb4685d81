#include "src/access/access_map.h"

#include <gtest/gtest.h>

namespace windrow::internal {
namespace {

AxisMap loop_axis(int loop) {
  AxisMap axis;
  axis.extent = 9;
  axis.loops.push_back({loop, 1});
  return axis;
}

AxisMap index_axis(std::vector<IndexCoordinate> coordinates) {
  AxisMap axis;
  axis.extent = 9;
  IndexTerm term;
  term.input = 1;
  term.coordinates = std::move(coordinates);
  axis.terms.push_back(std::move(term));
  return axis;
}

Operation operation_of(Shape loops, std::vector<AxisMap> axes) {
  Operation operation;
  operation.input_names = {"data", "indices", "updates"};
  operation.updates_input = 2;
  operation.map.loops = loops;
  operation.map.axes = std::move(axes);
  return operation;
}

TEST(IndexRange, NamesItsParts) {
  EXPECT_EQ(to_string(IndexRange{-5, 4}), "-5 to 4");
  EXPECT_EQ(to_string(IndexRange{-5, 3, -1}), "-5 to -2 and 0 to 3");
  EXPECT_EQ(to_string(IndexRange{0, -1}), "");
  EXPECT_FALSE((IndexRange{-5, 3, 0}.has_gap()));
}

TEST(Equation, GatherAlongAnAxis) {
  EXPECT_EQ(equation(operation_of({2, 3, 4}, {loop_axis(0), index_axis({{1, 0}}), loop_axis(2)})),
            "output[i0, i1, i2] = data[i0, indices[i1], i2]");
}

TEST(Equation, ScalarIndexAndRankZeroResult) {
  EXPECT_EQ(equation(operation_of({}, {index_axis({})})), "output[] = data[indices]");
}

TEST(Equation, TuplesOfAScatterThatAdds) {
  Operation operation =
      operation_of({5}, {index_axis({{0, 0}, {-1, 0}}), index_axis({{0, 0}, {-1, 1}})});
  operation.scatter = true;
  operation.combine = Combine::kAdd;
  EXPECT_EQ(equation(operation), "output[indices[i0, 0], indices[i0, 1]] += updates[i0]");
  operation.combine = Combine::kMax;
  EXPECT_EQ(equation(operation),
            "output[indices[i0, 0], indices[i0, 1]] = max(output[indices[i0, 0], indices[i0, 1]], "
            "updates[i0])");
}

TEST(Equation, CircularWindow) {
  AxisMap axis = index_axis({{0, 0}});
  axis.loops.push_back({1, 1});
  axis.policy = OutOfRange::kModulo;
  Operation operation = operation_of({2, 3}, {loop_axis(0), axis});
  operation.scatter = true;
  EXPECT_EQ(equation(operation), "output[i0, (indices[i0] + i1) mod 9] = updates[i0, i1]");
  operation.map.axes[1].loops.clear();
  EXPECT_EQ(equation(operation), "output[i0, indices[i0] mod 9] = updates[i0, i1]");
}

TEST(Equation, BagsSayWhereTheirSamplesAre) {
  Operation operation = operation_of({4, 2, 3}, {index_axis({{0, 0}, {1, 0}}), loop_axis(2)});
  operation.combine = Combine::kAdd;
  operation.bags.emplace();
  EXPECT_EQ(equation(operation), "output[i0, i2] += data[indices[i0, i1], i2]");
  operation.input_names.emplace_back("weights");
  operation.bags->weights_input = 3;
  EXPECT_EQ(equation(operation), "output[i0, i2] += data[indices[i0, i1], i2] * weights[i0, i1]");
  operation = operation_of({4, 3}, {index_axis({{0, 0}}), loop_axis(1)});
  operation.input_names = {"data", "indices", "offsets"};
  operation.combine = Combine::kMax;
  operation.bags.emplace();
  operation.bags->bounds = Bags::Bounds::kOffsets;
  operation.bags->bounds_input = 2;
  EXPECT_EQ(equation(operation),
            "output[bag of i0 by offsets, i1] = max(output[bag of i0 by offsets, i1], "
            "data[indices[i0], i1])");
  operation.bags->bounds = Bags::Bounds::kSegments;
  operation.combine = Combine::kAdd;
  EXPECT_EQ(equation(operation), "output[offsets[i0], i1] += data[indices[i0], i1]");
}

TEST(Equation, SegmentsSayWhoseTheyAre) {
  Operation operation = operation_of({4}, {index_axis({{0, 0}})});
  operation.input_names = {"data", "segment", "offsets"};
  operation.updates_input = 0;
  operation.scatter = true;
  operation.combine = Combine::kAdd;
  operation.segments.emplace().bounds_input = 2;
  EXPECT_EQ(equation(operation), "output[segment[i0]] += data[i0], segment by offsets");
}

TEST(Equation, BeamsAreWalkedBack) {
  Operation operation =
      operation_of({5, 2, 3}, {loop_axis(0), loop_axis(1), index_axis({{0, 0}, {1, 0}, {2, 0}})});
  operation.input_names = {"steps", "parents", "lengths", "end"};
  operation.beams.emplace();
  EXPECT_EQ(equation(operation),
            "output[i0, i1, i2] = steps[i0, i1, beam], beam = i2 at the last step of lengths[i1], "
            "and before it parents[i0 + 1, i1, beam of i0 + 1]; from the first end on end");
}

TEST(Equation, ACodeBecomesANumber) {
  Operation operation = operation_of({4, 8}, {index_axis({{0, 0}}), loop_axis(1)});
  operation.input_names = {"data", "indices", "scales", "zero_points"};
  operation.dequantise.emplace();
  operation.dequantise->quantise_axis = 1;
  operation.dequantise->block = 4;
  const std::string code = "data[indices[i0], i1]", scale = " * scales[indices[i0], i1 / 4]";
  EXPECT_EQ(equation(operation), "output[i0, i1] = " + code + scale);
  operation.dequantise->zero = 8;
  EXPECT_EQ(equation(operation), "output[i0, i1] = (" + code + " - 8)" + scale);
  operation.dequantise->has_zero_points = true;
  EXPECT_EQ(equation(operation),
            "output[i0, i1] = (" + code + " - zero_points[indices[i0], i1 / 4])" + scale);
}

}  // namespace
}  // namespace windrow::internal
