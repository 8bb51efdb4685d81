#include <gtest/gtest.h>

#include <cstdint>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

onnx::GatherND gather_op(std::int64_t batch_dims = 0, int version = 13) {
  onnx::GatherND op;
  op.batch_dims = batch_dims;
  op.version = version;
  return op;
}

Tensor square() { return floats({2, 2}, {0, 1, 2, 3}); }
Tensor cube() { return floats({2, 2, 2}, {0, 1, 2, 3, 4, 5, 6, 7}); }

TEST(ReferenceGatherND, PageExamples1To4) {
  for (const int version : {11, 12, 13}) {
    const onnx::GatherND op = gather_op(0, version);
    expect_result<float>(call(op, {square(), int64s({2, 2}, {0, 0, 1, 1})}), {2}, {0, 3});
    expect_result<float>(call(op, {square(), int64s({2, 1}, {1, 0})}), {2, 2}, {2, 3, 0, 1});
    expect_result<float>(call(op, {cube(), int64s({2, 2}, {0, 1, 1, 0})}), {2, 2}, {2, 3, 4, 5});
    expect_result<float>(call(op, {cube(), int64s({2, 1, 2}, {0, 1, 1, 0})}), {2, 1, 2},
                         {2, 3, 4, 5});
  }
}

TEST(ReferenceGatherND, PageExample5BatchDims) {
  for (const int version : {12, 13}) {
    expect_result<float>(call(gather_op(1, version), {cube(), int64s({2, 1}, {1, 0})}), {2, 2},
                         {2, 3, 4, 5});
  }
}

TEST(ReferenceGatherND, ATupleIsOutsideIfOneCoordinateIs) {
  const Tensor indices = int64s({3, 2}, {0, 1, 0, 5, -3, 0});
  expect_result<float>(call(gather_op(), {square(), indices}, with(OutOfRange::kZero)), {3},
                       {1, 0, 0});
  expect_result<float>(call(gather_op(), {square(), indices}, with(OutOfRange::kClamp)), {3},
                       {1, 1, 0});
  expect_result<float>(call(gather_op(), {square(), indices}, with(OutOfRange::kModulo)), {3},
                       {1, 1, 2});
}

TEST(ReferenceGatherND, A1BatchDimsOutOfRange) {
  expect_error(call(gather_op(2), {cube(), int64s({2, 1}, {0, 0})}), ErrorCode::kInvalidArgument,
               "ONNX-GatherND-A1");
  expect_error(call(gather_op(-1), {cube(), int64s({2, 1}, {0, 0})}), ErrorCode::kInvalidArgument,
               "ONNX-GatherND-A1");
}

TEST(ReferenceGatherND, A2BatchDimsBefore12) {
  expect_error(call(gather_op(1, 11), {cube(), int64s({2, 1}, {0, 0})}),
               ErrorCode::kInvalidArgument, "ONNX-GatherND-A2");
}

TEST(ReferenceGatherND, C1Ranks) {
  expect_error(call(gather_op(), {cube(), int64s({}, {0})}), ErrorCode::kShape, "ONNX-GatherND-C1");
  expect_error(call(gather_op(), {floats({}, {1}), int64s({1}, {0})}), ErrorCode::kShape,
               "ONNX-GatherND-C1");
}

TEST(ReferenceGatherND, C2BatchExtentsDiffer) {
  expect_error(call(gather_op(1), {cube(), int64s({4, 1}, {0, 0, 0, 0})}), ErrorCode::kShape,
               "ONNX-GatherND-C2");
}

TEST(ReferenceGatherND, C3TupleLength) {
  expect_error(call(gather_op(), {square(), int64s({1, 3}, {0, 0, 0})}), ErrorCode::kShape,
               "ONNX-GatherND-C3");
  expect_error(call(gather_op(), {square(), empty(DType::kInt64, {1, 0})}), ErrorCode::kShape,
               "ONNX-GatherND-C3");
  expect_error(call(gather_op(1), {square(), int64s({2, 2}, {0, 0, 0, 0})}), ErrorCode::kShape,
               "ONNX-GatherND-C3");
}

TEST(ReferenceGatherND, C4ResultRank) {
  const Tensor indices = Tensor::zeros(DType::kInt64, Shape::filled(kMaxRank, 1)).value();
  expect_error(call(gather_op(), {cube(), indices}), ErrorCode::kShape, "ONNX-GatherND-C4");
}

TEST(ReferenceGatherND, C5NamesTheAxisOfTheCoordinate) {
  const Result<Tensor> result = call(gather_op(1), {cube(), int64s({2, 1, 2}, {0, 1, 1, -3})});
  expect_error(result, ErrorCode::kIndexOutOfRange, "ONNX-GatherND-C5");
  EXPECT_EQ(result.error().index_fault()->position, (std::vector<std::int64_t>{1, 0, 1}));
  EXPECT_EQ(result.error().index_fault()->axis, 2);
  EXPECT_EQ(result.error().index_fault()->value, -3);
}

}  // namespace
}  // namespace windrow::internal::reference
