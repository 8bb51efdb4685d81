#include <gtest/gtest.h>

#include <cstdint>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

onnx::GatherElements gather_op(std::int64_t axis) {
  onnx::GatherElements op;
  op.axis = axis;
  op.version = 13;
  return op;
}

TEST(ReferenceGatherElements, TakesAlongEitherAxis) {
  const Tensor data = floats({3, 3}, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  expect_result<float>(call(gather_op(0), {data, int64s({2, 3}, {1, 2, 0, 2, 0, 0})}), {2, 3},
                       {4, 8, 3, 7, 2, 3});
  expect_result<float>(call(gather_op(-1), {data, int64s({1, 2}, {-1, 0})}), {1, 2}, {3, 1});
}

TEST(ReferenceGatherElements, IndicesMayBeLongerAlongTheAxisAndShorterElsewhere) {
  const Tensor data = floats({2, 2}, {1, 2, 3, 4});
  expect_result<float>(call(gather_op(1), {data, int64s({1, 4}, {0, 1, 1, 0})}), {1, 4},
                       {1, 2, 2, 1});
}

TEST(ReferenceGatherElements, Policies) {
  const Tensor data = floats({2}, {1, 2});
  const Tensor indices = int64s({3}, {-3, 1, 4});
  expect_result<float>(call(gather_op(0), {data, indices}, with(OutOfRange::kZero)), {3},
                       {0, 2, 0});
  expect_result<float>(call(gather_op(0), {data, indices}, with(OutOfRange::kClamp)), {3},
                       {1, 2, 2});
  expect_result<float>(call(gather_op(0), {data, indices}, with(OutOfRange::kModulo)), {3},
                       {2, 2, 1});
}

TEST(ReferenceGatherElements, A1AxisOutOfRange) {
  expect_error(call(gather_op(-2), {floats({1}, {1}), int64s({1}, {0})}),
               ErrorCode::kInvalidArgument, "ONNX-GatherElements-A1");
}

TEST(ReferenceGatherElements, C1Ranks) {
  expect_error(call(gather_op(0), {floats({1}, {1}), int64s({1, 1}, {0})}), ErrorCode::kShape,
               "ONNX-GatherElements-C1");
  expect_error(call(gather_op(0), {floats({}, {1}), int64s({}, {0})}), ErrorCode::kShape,
               "ONNX-GatherElements-C1");
}

TEST(ReferenceGatherElements, C2LargerOffTheAxis) {
  expect_error(call(gather_op(0), {floats({2, 1}, {1, 2}), int64s({1, 2}, {0, 0})}),
               ErrorCode::kShape, "ONNX-GatherElements-C2");
}

TEST(ReferenceGatherElements, C3IndexOutOfRange) {
  const Result<Tensor> result = call(gather_op(0), {floats({2}, {1, 2}), int64s({3}, {0, 2, -3})});
  expect_error(result, ErrorCode::kIndexOutOfRange, "ONNX-GatherElements-C3");
  EXPECT_EQ(result.error().index_fault()->value, 2);
  EXPECT_EQ(result.error().index_fault()->count, 2);
}

}  // namespace
}  // namespace windrow::internal::reference
