#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

onnx::ScatterND scatter_op(std::string reduction = "none", int version = 18) {
  onnx::ScatterND op;
  op.reduction = std::move(reduction);
  op.version = version;
  return op;
}

Tensor line() { return floats({4}, {1, 2, 3, 4}); }

TEST(ReferenceScatterND, WritesElements) {
  for (const int version : {11, 13, 16, 18}) {
    expect_result<float>(
        call(scatter_op("none", version), {line(), int64s({2, 1}, {-1, 1}), floats({2}, {9, 8})}),
        {4}, {1, 8, 3, 9});
  }
}

TEST(ReferenceScatterND, WritesSlices) {
  expect_result<float>(
      call(scatter_op("add"), {floats({2, 2}, {1, 2, 3, 4}), int64s({2, 1}, {1, 1}),
                               floats({2, 2}, {10, 20, 30, 40})}),
      {2, 2}, {1, 2, 43, 64});
}

TEST(ReferenceScatterND, OneTupleWithoutLeadingAxes) {
  expect_result<float>(
      call(scatter_op(), {floats({2, 2}, {1, 2, 3, 4}), int64s({2}, {0, 1}), floats({}, {9})}),
      {2, 2}, {1, 9, 3, 4});
}

TEST(ReferenceScatterND, TuplesOfLengthZeroTakeTheWholeTensor) {
  const Tensor updates = floats({2, 2}, {5, 6, 7, 8});
  const Tensor indices = empty(DType::kInt64, {2, 0});
  expect_result<float>(call(scatter_op(), {floats({2}, {1, 2}), indices, updates}), {2}, {7, 8});
  expect_result<float>(call(scatter_op("add"), {floats({2}, {1, 2}), indices, updates}), {2},
                       {13, 16});
}

TEST(ReferenceScatterND, EmptyIndicesCopyData) {
  expect_result<float>(
      call(scatter_op(), {line(), empty(DType::kInt64, {0, 1}), empty(DType::kFloat32, {0})}), {4},
      {1, 2, 3, 4});
}

TEST(ReferenceScatterND, MinAndMax) {
  const Tensor indices = int64s({2, 1}, {0, 0});
  expect_result<float>(call(scatter_op("max"), {line(), indices, floats({2}, {5, 3})}), {4},
                       {5, 2, 3, 4});
  expect_result<float>(call(scatter_op("min"), {line(), indices, floats({2}, {-5, 3})}), {4},
                       {-5, 2, 3, 4});
}

TEST(ReferenceScatterND, SkipDropsATupleIfOneCoordinateIsOutside) {
  const Tensor indices = int64s({3, 2}, {0, 2, -3, 0, 1, 1});
  expect_result<float>(
      call(scatter_op(), {floats({2, 2}, {1, 2, 3, 4}), indices, floats({3}, {7, 8, 9})},
           with(OutOfRange::kSkip)),
      {2, 2}, {1, 2, 3, 9});
}

TEST(ReferenceScatterND, A2ReductionBefore16) {
  expect_error(call(scatter_op("mul", 13), {line(), int64s({1, 1}, {0}), floats({1}, {1})}),
               ErrorCode::kInvalidArgument, "ONNX-ScatterND-A2");
}

TEST(ReferenceScatterND, A3Reductions) {
  const Tensor index = int64s({1, 1}, {0});
  expect_error(call(scatter_op("min", 16), {line(), index, floats({1}, {1})}),
               ErrorCode::kInvalidArgument, "ONNX-ScatterND-A3");
  expect_error(call(scatter_op("max"),
                    {empty(DType::kComplex128, {1}), index, empty(DType::kComplex128, {1})}),
               ErrorCode::kType, "ONNX-ScatterND-A3");
}

TEST(ReferenceScatterND, C1Ranks) {
  expect_error(call(scatter_op(), {line(), int64s({}, {0}), floats({}, {1})}), ErrorCode::kShape,
               "ONNX-ScatterND-C1");
}

TEST(ReferenceScatterND, C2TupleLongerThanTheRank) {
  expect_error(call(scatter_op(), {line(), int64s({1, 2}, {0, 0}), floats({1}, {1})}),
               ErrorCode::kShape, "ONNX-ScatterND-C2");
}

TEST(ReferenceScatterND, C3UpdatesShape) {
  expect_error(call(scatter_op(), {line(), int64s({2, 1}, {0, 1}), floats({1}, {1})}),
               ErrorCode::kShape, "ONNX-ScatterND-C3");
  expect_error(call(scatter_op(), {line(), int64s({1}, {0}), floats({1}, {1})}), ErrorCode::kShape,
               "ONNX-ScatterND-C3");
}

TEST(ReferenceScatterND, C4IndexOutOfRange) {
  const Result<Tensor> result =
      call(scatter_op(),
           {floats({2, 3}, {0, 0, 0, 0, 0, 0}), int64s({2, 2}, {1, 2, 0, 3}), floats({2}, {1, 2})});
  expect_error(result, ErrorCode::kIndexOutOfRange, "ONNX-ScatterND-C4");
  EXPECT_EQ(result.error().index_fault()->position, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(result.error().index_fault()->axis, 1);
  EXPECT_EQ(result.error().index_fault()->extent, 3);
}

TEST(ReferenceScatterND, D1NamesTheFirstElementsOfBothSlices) {
  const Tensor data = empty(DType::kFloat32, {4, 2});
  const Tensor updates = empty(DType::kFloat32, {4, 2});
  const Tensor indices = int64s({4, 1}, {1, 2, 3, 2});
  for (const CallOptions& options : {no_duplicates(), strictly()}) {
    const Result<Tensor> result = call(scatter_op(), {data, indices, updates}, options);
    expect_error(result, ErrorCode::kDuplicate, "ONNX-ScatterND-D1");
    EXPECT_EQ(result.error().message(),
              "onnx.ScatterND-18 [ONNX-ScatterND-D1]: updates[3, 0] writes the cell at [2, 0], "
              "which updates[1, 0] has written already");
  }
  EXPECT_TRUE(call(scatter_op("add"), {data, indices, updates}, strictly()).ok());
}

}  // namespace
}  // namespace windrow::internal::reference
