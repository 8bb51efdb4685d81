#include <gtest/gtest.h>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

openvino::GatherND gather_nd_op(std::int64_t batch_dims = 0, int version = 8) {
  openvino::GatherND op;
  op.batch_dims = batch_dims;
  op.version = version;
  return op;
}

Tensor cube() { return floats({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}); }

TEST(OpenvinoGatherND, Version5JoinsBatchAxes) {
  const Tensor indices = int64s({2, 2, 1}, {1, 0, -1, -2});
  expect_result<float>(call(gather_nd_op(2, 5), {cube(), indices}), {4}, {2, 3, 6, 7});
  expect_result<float>(call(gather_nd_op(2, 8), {cube(), indices}), {2, 2}, {2, 3, 6, 7});
  expect_result<float>(call(gather_nd_op(1, 5), {cube(), int64s({2, 1}, {1, 0})}), {2, 2},
                       {3, 4, 5, 6});
}

TEST(OpenvinoGatherND, Version8RepeatsBatches) {
  expect_result<float>(call(gather_nd_op(1), {cube(), int64s({1, 1}, {1})}), {2, 2}, {3, 4, 7, 8});
  expect_result<float>(call(gather_nd_op(1), {floats({1, 2}, {1, 2}), int64s({3, 1}, {1, 0, -1})}),
                       {3}, {2, 1, 2});
  expect_result<float>(
      call(gather_nd_op(2), {floats({2, 1, 2}, {1, 2, 3, 4}), int64s({1, 3, 1}, {0, 1, 0})}),
      {2, 3}, {1, 2, 1, 3, 4, 3});
  expect_result<float>(
      call(gather_nd_op(1), {floats({1, 2}, {1, 2}), empty(DType::kInt64, {0, 1})}), {0}, {});
  expect_error(call(gather_nd_op(1, 5), {cube(), int64s({1, 1}, {1})}), ErrorCode::kShape,
               "OPENVINO-GatherND-C2");
  expect_error(call(gather_nd_op(1), {cube(), int64s({3, 1}, {1, 1, 1})}), ErrorCode::kShape,
               "OPENVINO-GatherND-C2");
}

TEST(OpenvinoGatherND, EmptyTuplesTakeTheWholeSlice) {
  const Tensor data = floats({2}, {1, 2});
  expect_result<float>(call(gather_nd_op(), {data, empty(DType::kInt64, {2, 0})}), {2, 2},
                       {1, 2, 1, 2});
}

TEST(OpenvinoGatherND, Rules) {
  expect_error(call(gather_nd_op(), {cube(), int64s({}, {0})}), ErrorCode::kShape,
               "OPENVINO-GatherND-C1");
  for (const std::int64_t batch_dims : {-1, 2})
    expect_error(call(gather_nd_op(batch_dims), {cube(), int64s({2, 1}, {0, 0})}),
                 ErrorCode::kInvalidArgument, "OPENVINO-GatherND-A4");
  expect_error(call(gather_nd_op(1), {cube(), int64s({2, 3}, {0, 0, 0, 0, 0, 0})}),
               ErrorCode::kShape, "OPENVINO-GatherND-C3");
  const Tensor many = Tensor::zeros(DType::kFloat32, Shape::filled(kMaxRank, 1)).value();
  expect_error(call(gather_nd_op(), {many, int64s({1, 1, 1}, {0})}), ErrorCode::kShape,
               "OPENVINO-GatherND-C4");
  expect_error(call(gather_nd_op(), {cube(), int64s({1, 2}, {0, 2})}), ErrorCode::kIndexOutOfRange,
               "OPENVINO-GatherND-C5");
}

TEST(OpenvinoGatherND, S1IsOfVersion5) {
  const Tensor indices = int64s({1, 1}, {-1});
  expect_error(call(gather_nd_op(0, 5), {cube(), indices}, strictly()), ErrorCode::kIndexOutOfRange,
               "OPENVINO-GatherND-S1");
  EXPECT_TRUE(call(gather_nd_op(0, 5), {cube(), indices}).ok());
  EXPECT_TRUE(call(gather_nd_op(0, 8), {cube(), indices}, strictly()).ok());
}

TEST(OpenvinoGatherND, JoinedBatchesThatDoNotFit) {
  const Shape large = {std::int64_t{1} << 40, std::int64_t{1} << 40, 0};
  const float value = 0;
  const TensorView data(DType::kFloat32, large, Strides{0, 0, 0}, &value);
  const TensorView indices(DType::kInt64, large, Strides{0, 0, 0}, &value);
  expect_error(call(gather_nd_op(2, 5), {data, indices}), ErrorCode::kShape, "CALL-I2");
  EXPECT_TRUE(call(gather_nd_op(2, 8), {data, indices}).ok());
}

}  // namespace
}  // namespace windrow::internal::reference
