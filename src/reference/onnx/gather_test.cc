#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

onnx::Gather gather_op(std::int64_t axis, int version = 13) {
  onnx::Gather op;
  op.axis = axis;
  op.version = version;
  return op;
}

Tensor table() { return floats({3, 2}, {1.0F, 1.2F, 2.3F, 3.4F, 4.5F, 5.7F}); }

TEST(ReferenceGather, PageExampleAxis0) {
  for (const int version : {1, 11, 13}) {
    expect_result<float>(call(gather_op(0, version), {table(), int64s({2, 2}, {0, 1, 1, 2})}),
                         {2, 2, 2}, {1.0F, 1.2F, 2.3F, 3.4F, 2.3F, 3.4F, 4.5F, 5.7F});
  }
}

TEST(ReferenceGather, PageExampleAxis1) {
  const Tensor data = floats({3, 3}, {1.0F, 1.2F, 1.9F, 2.3F, 3.4F, 3.9F, 4.5F, 5.7F, 5.9F});
  expect_result<float>(call(gather_op(1), {data, int64s({1, 2}, {0, 2})}), {3, 1, 2},
                       {1.0F, 1.9F, 2.3F, 3.9F, 4.5F, 5.9F});
}

TEST(ReferenceGather, ScalarIndexRemovesTheAxis) {
  expect_result<float>(call(gather_op(-1), {table(), int64s({}, {-1})}), {3}, {1.2F, 3.4F, 5.7F});
  expect_result<float>(call(gather_op(0), {floats({3}, {1, 2, 3}), int64s({}, {1})}), {}, {2});
}

TEST(ReferenceGather, Int32IndicesStringsAndStrides) {
  const Tensor data = Tensor::of<std::string>({3}, {"a", "b", "c"});
  const std::array<std::int32_t, 4> indices = {2, 99, 0, 99};
  const Result<Tensor> result =
      call(gather_op(0), {data, TensorView(DType::kInt32, {2}, Strides{8}, indices.data())});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->values<std::string>()[0], "c");
  EXPECT_EQ(result->values<std::string>()[1], "a");
}

TEST(ReferenceGather, CopiesBits) {
  const Tensor data = from_bits<std::uint32_t>(DType::kFloat32, {2}, {0xffc12345, 0x7f800001});
  expect_result<std::uint32_t>(call(gather_op(0), {data, int64s({2}, {1, 0})}), {2},
                               {0x7f800001, 0xffc12345});
  const Tensor bools = from_bits<std::uint8_t>(DType::kBool, {2}, {0, 7});
  expect_result<std::uint8_t>(call(gather_op(0), {bools, int64s({1}, {1})}), {1}, {7});
}

TEST(ReferenceGather, EmptyResults) {
  const Result<Tensor> empty_axis =
      call(gather_op(1), {empty(DType::kFloat32, {2, 3, 4}), empty(DType::kInt64, {2, 0})});
  expect_result<float>(empty_axis, {2, 2, 0, 4}, {});
  const Result<Tensor> huge =
      call(gather_op(1), {empty(DType::kFloat32, {kMax, 0, 1}), empty(DType::kInt64, {0})});
  expect_result<float>(huge, {kMax, 0, 1}, {});
}

TEST(ReferenceGather, Policies) {
  const Tensor data = floats({3}, {1, 2, 3});
  const Tensor indices = int64s({5}, {-4, -1, 0, 3, 7});
  expect_result<float>(call(gather_op(0), {data, indices}, with(OutOfRange::kZero)), {5},
                       {0, 3, 1, 0, 0});
  expect_result<float>(call(gather_op(0), {data, indices}, with(OutOfRange::kClamp)), {5},
                       {1, 3, 1, 3, 3});
  expect_result<float>(call(gather_op(0), {data, indices}, with(OutOfRange::kModulo)), {5},
                       {3, 3, 1, 1, 2});
}

TEST(ReferenceGather, ZeroOfAStringIsEmpty) {
  const Tensor data = Tensor::of<std::string>({1}, {"a"});
  const Result<Tensor> result =
      call(gather_op(0), {data, int64s({2}, {1, 0})}, with(OutOfRange::kZero));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->values<std::string>()[0], "");
  EXPECT_EQ(result->values<std::string>()[1], "a");
}

TEST(ReferenceGather, A1AxisOutOfRange) {
  const Result<Tensor> result = call(gather_op(2), {table(), int64s({1}, {0})});
  expect_error(result, ErrorCode::kInvalidArgument, "ONNX-Gather-A1");
  EXPECT_EQ(result.error().message(),
            "onnx.Gather-13 [ONNX-Gather-A1]: axis is 2, must be in [-2, 1] for data of rank 2");
}

TEST(ReferenceGather, C1ScalarData) {
  expect_error(call(gather_op(0), {floats({}, {1}), int64s({1}, {0})}), ErrorCode::kShape,
               "ONNX-Gather-C1");
}

TEST(ReferenceGather, C2ResultRank) {
  const Tensor indices = Tensor::zeros(DType::kInt64, Shape::filled(kMaxRank, 1)).value();
  expect_error(call(gather_op(0), {table(), indices}), ErrorCode::kShape, "ONNX-Gather-C2");
  const Result<Tensor> largest = call(gather_op(0), {floats({2}, {1, 2}), indices});
  expect_result<float>(largest, Shape::filled(kMaxRank, 1), {1});
}

TEST(ReferenceGather, C3NamesTheFirstBadIndexAndCountsAll) {
  const Tensor data = empty(DType::kFloat32, {2, 5});
  const Tensor indices = int64s({3, 4}, {0, 1, 2, 7, -5, 4, 0, 0, 0, -6, 0, 0});
  const Result<Tensor> result = call(gather_op(1), {data, indices});
  expect_error(result, ErrorCode::kIndexOutOfRange, "ONNX-Gather-C3");
  EXPECT_EQ(result.error().message(),
            "onnx.Gather-13 [ONNX-Gather-C3]: indices[0, 3] is 7, out of range for axis 1 of data "
            "with extent 5 (legal: -5 to 4); 2 of 12 indices are out of range");
  EXPECT_EQ(result.error().operator_name(), "onnx.Gather-13");
  const IndexFault& fault = *result.error().index_fault();
  EXPECT_EQ(fault.input, "indices");
  EXPECT_EQ(fault.position, (std::vector<std::int64_t>{0, 3}));
  EXPECT_EQ(fault.value, 7);
  EXPECT_EQ(fault.axis, 1);
  EXPECT_EQ(fault.extent, 5);
  EXPECT_EQ(fault.count, 2);
}

TEST(ReferenceGather, C3ChecksIndicesOfAnEmptyResult) {
  expect_error(call(gather_op(0), {empty(DType::kFloat32, {2, 0}), int64s({1}, {5})}),
               ErrorCode::kIndexOutOfRange, "ONNX-Gather-C3");
}

TEST(ReferenceGather, C3AnEmptyAxisHasNoLegalIndex) {
  const Tensor data = empty(DType::kFloat32, {0, 2});
  for (const OutOfRange policy : {OutOfRange::kError, OutOfRange::kClamp, OutOfRange::kModulo}) {
    const Result<Tensor> result = call(gather_op(0), {data, int64s({}, {0})}, with(policy));
    expect_error(result, ErrorCode::kIndexOutOfRange, "ONNX-Gather-C3");
    EXPECT_EQ(result.error().message(),
              "onnx.Gather-13 [ONNX-Gather-C3]: indices is 0, out of range for axis 0 of data with "
              "extent 0 (no index is legal); 1 of 1 indices is out of range");
  }
  expect_result<float>(call(gather_op(0), {data, int64s({1}, {0})}, with(OutOfRange::kZero)),
                       {1, 2}, {0, 0});
}

TEST(ReferenceGather, S1StrictRefusesNegativeIndicesOfVersion1) {
  const Tensor indices = int64s({2}, {0, -1});
  for (const OutOfRange policy :
       {OutOfRange::kError, OutOfRange::kZero, OutOfRange::kClamp, OutOfRange::kModulo}) {
    CallOptions options = with(policy);
    options.strict = true;
    const Result<Tensor> result = call(gather_op(0, 1), {table(), indices}, options);
    expect_error(result, ErrorCode::kIndexOutOfRange, "ONNX-Gather-S1");
    EXPECT_EQ(result.error().index_fault()->position, (std::vector<std::int64_t>{1}));
  }
  EXPECT_TRUE(call(gather_op(0, 1), {table(), indices}).ok());
  EXPECT_TRUE(call(gather_op(0, 11), {table(), indices}, strictly()).ok());
}

TEST(ReferenceGather, S1StrictKeepsThePolicyForLargeIndices) {
  CallOptions options = with(OutOfRange::kZero);
  options.strict = true;
  expect_result<float>(call(gather_op(0, 1), {floats({1}, {4}), int64s({2}, {0, 1})}, options), {2},
                       {4, 0});
}

TEST(ReferenceCall, O1SkipOnAGather) {
  expect_error(call(gather_op(0), {table(), int64s({1}, {0})}, with(OutOfRange::kSkip)),
               ErrorCode::kInvalidArgument, "CALL-O1");
}

TEST(ReferenceCall, I2SizesThatDoNotFit) {
  const float value = 0;
  const TensorView too_large(DType::kFloat32, {kMax}, Strides{0}, &value);
  expect_error(call(gather_op(0), {too_large, int64s({1}, {0})}), ErrorCode::kShape, "CALL-I2");
  const TensorView negative(DType::kFloat32, {-1}, Strides{0}, &value);
  expect_error(call(gather_op(0), {negative, int64s({1}, {0})}), ErrorCode::kShape, "CALL-I2");
  const TensorView large(DType::kFloat32, {1, kMax / 4}, Strides{0, 0}, &value);
  expect_error(call(gather_op(0), {large, int64s({2}, {0, 0})}), ErrorCode::kShape, "CALL-I2");
}

TEST(ReferenceCall, SaysWhenThereIsNoMemory) {
  const float value = 0;
  const TensorView large(DType::kFloat32, {1, std::int64_t{1} << 58}, Strides{0, 0}, &value);
  const Result<Tensor> result = call(gather_op(0), {large, int64s({1}, {0})});
  expect_error(result, ErrorCode::kOutOfMemory, "");
}

}  // namespace
}  // namespace windrow::internal::reference
