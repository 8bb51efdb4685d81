#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>

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

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

onnx::OneHot one_hot_op(int version, std::int64_t axis = -1) {
  onnx::OneHot op;
  op.version = version;
  op.axis = axis;
  return op;
}

Tensor off_on() { return floats({2}, {0, 1}); }

Tensor depth(std::int64_t value) { return int64s({}, {value}); }

TEST(ReferenceOneHot, PutsTheNewAxisLast) {
  expect_result<float>(call(one_hot_op(11), {int64s({3}, {1, -1, 5}), depth(3), off_on()}), {3, 3},
                       {0, 1, 0, 0, 0, 1, 0, 0, 0});
}

TEST(ReferenceOneHot, EveryFormOfTheAxis) {
  const Tensor indices = int64s({1, 2}, {2, 0});
  for (const std::int64_t axis : {0, -3})
    expect_result<float>(call(one_hot_op(11, axis), {indices, depth(3), off_on()}), {3, 1, 2},
                         {0, 1, 0, 0, 1, 0});
  for (const std::int64_t axis : {1, -2})
    expect_result<float>(call(one_hot_op(11, axis), {indices, depth(3), off_on()}), {1, 3, 2},
                         {0, 1, 0, 0, 1, 0});
  for (const std::int64_t axis : {2, -1})
    expect_result<float>(call(one_hot_op(11, axis), {indices, depth(3), off_on()}), {1, 2, 3},
                         {0, 0, 1, 1, 0, 0});
  for (const std::int64_t axis : {3, -4})
    expect_error(call(one_hot_op(11, axis), {indices, depth(3), off_on()}),
                 ErrorCode::kInvalidArgument, "ONNX-OneHot-A1");
}

TEST(ReferenceOneHot, ScalarIndexAndEmptyResults) {
  expect_result<float>(call(one_hot_op(11), {int64s({}, {-2}), depth(3), off_on()}), {3},
                       {0, 1, 0});
  expect_result<float>(call(one_hot_op(11), {int64s({2}, {0, 9}), depth(0), off_on()}), {2, 0}, {});
  expect_result<float>(call(one_hot_op(11), {empty(DType::kInt64, {0}), depth(2), off_on()}),
                       {0, 2}, {});
}

TEST(ReferenceOneHot, FloatsAreCutTowardZero) {
  const Tensor indices = floats({5}, {2.9F, -0.5F, kNan, kInfinity, 1e30F});
  const Result<Tensor> result =
      call(one_hot_op(11), {indices, Tensor::of<float>({1}, {3.7F}), off_on()});
  expect_result<float>(result, {5, 3}, {0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
}

TEST(ReferenceOneHot, NegativeIndicesAreOutsideBeforeVersion11) {
  const Tensor indices = int64s({2}, {-1, 1});
  const auto one_hot = [&](int version, OutOfRange policy) {
    return call(one_hot_op(version), {indices, depth(3), off_on()}, with(policy));
  };
  expect_result<float>(one_hot(9, OutOfRange::kSkip), {2, 3}, {0, 0, 0, 0, 1, 0});
  expect_result<float>(one_hot(9, OutOfRange::kClamp), {2, 3}, {1, 0, 0, 0, 1, 0});
  expect_result<float>(one_hot(9, OutOfRange::kModulo), {2, 3}, {0, 0, 1, 0, 1, 0});
  expect_error(one_hot(9, OutOfRange::kError), ErrorCode::kIndexOutOfRange, "ONNX-OneHot-C4");
  for (const OutOfRange policy :
       {OutOfRange::kSkip, OutOfRange::kClamp, OutOfRange::kModulo, OutOfRange::kError})
    expect_result<float>(one_hot(11, policy), {2, 3}, {0, 0, 1, 0, 1, 0});
}

TEST(ReferenceOneHot, C4SaysWhichIndex) {
  const Result<Tensor> result = call(
      one_hot_op(11, 0), {int64s({1, 2}, {0, 3}), depth(3), off_on()}, with(OutOfRange::kError));
  expect_error(result, ErrorCode::kIndexOutOfRange, "ONNX-OneHot-C4");
  EXPECT_EQ(result.error().index_fault()->input, "indices");
  EXPECT_EQ(result.error().index_fault()->value, 3);
  EXPECT_EQ(result.error().index_fault()->axis, 0);
  EXPECT_EQ(result.error().index_fault()->extent, 3);
}

TEST(ReferenceOneHot, NoCoordinateToChooseWithoutDepth) {
  for (const OutOfRange policy : {OutOfRange::kClamp, OutOfRange::kModulo, OutOfRange::kError})
    expect_error(call(one_hot_op(11), {int64s({1}, {0}), depth(0), off_on()}, with(policy)),
                 ErrorCode::kIndexOutOfRange, "ONNX-OneHot-C4");
}

TEST(ReferenceOneHot, C1C2C3) {
  const Tensor index = int64s({1}, {0});
  for (const Tensor& values : {floats({3}, {0, 1, 2}), floats({1, 2}, {0, 1}), floats({}, {1})})
    expect_error(call(one_hot_op(11), {index, depth(3), values}), ErrorCode::kShape,
                 "ONNX-OneHot-C1");
  expect_error(
      call(one_hot_op(11), {empty(DType::kInt64, Shape::filled(32, 1)), depth(3), off_on()}),
      ErrorCode::kShape, "ONNX-OneHot-C2");
  for (const Tensor& wrong : {depth(-1), int64s({2}, {3, 3}), int64s({1, 1}, {3}),
                              empty(DType::kInt64, {0}), Tensor::of<float>({}, {kNan})})
    expect_error(call(one_hot_op(11), {index, wrong, off_on()}), ErrorCode::kShape,
                 "ONNX-OneHot-C3");
}

TEST(ReferenceOneHot, AResultThatIsTooLarge) {
  const Tensor huge = depth(std::numeric_limits<std::int64_t>::max());
  expect_error(call(one_hot_op(11), {int64s({1}, {0}), huge, off_on()}), ErrorCode::kShape,
               "CALL-I2");
}

TEST(ReferenceOneHot, ZeroIsNoPolicy) {
  expect_error(
      call(one_hot_op(11), {int64s({1}, {0}), depth(3), off_on()}, with(OutOfRange::kZero)),
      ErrorCode::kInvalidArgument, "CALL-O1");
}

TEST(ReferenceOneHot, ValuesKeepTheirBits) {
  const Tensor values = from_bits<std::uint32_t>(DType::kFloat32, {2}, {0xffaaaaaa, 0x7f800001});
  expect_result<std::uint32_t>(call(one_hot_op(11), {int64s({1}, {1}), depth(2), values}), {1, 2},
                               {0xffaaaaaa, 0x7f800001});
  const Tensor texts = Tensor::of<std::string>({2}, {"no", "yes"});
  const Result<Tensor> result = call(one_hot_op(11), {int64s({1}, {0}), depth(2), texts});
  ASSERT_TRUE(result.ok()) << result.error().message();
  const auto* elements = static_cast<const std::string*>(result->data());
  EXPECT_EQ(elements[0], "yes");
  EXPECT_EQ(elements[1], "no");
}

}  // namespace

namespace {

onnx::ArrayFeatureExtractor extract_op() {
  onnx::ArrayFeatureExtractor op;
  op.version = 1;
  return op;
}

Tensor matrix() { return floats({2, 3}, {1, 2, 3, 4, 5, 6}); }

TEST(ReferenceArrayFeatureExtractor, GathersOnTheLastAxis) {
  expect_result<float>(call(extract_op(), {matrix(), int64s({2}, {2, 0})}), {2, 2}, {3, 1, 6, 4});
  expect_result<float>(call(extract_op(), {matrix(), int64s({1, 2}, {2, 0})}), {2, 2},
                       {3, 1, 6, 4});
}

TEST(ReferenceArrayFeatureExtractor, RankOneGivesOneRow) {
  expect_result<float>(call(extract_op(), {floats({3}, {1, 2, 3}), int64s({3}, {2, 2, 1})}), {1, 3},
                       {3, 3, 2});
}

TEST(ReferenceArrayFeatureExtractor, AnyShapeOfIndicesIsFlat) {
  expect_result<float>(call(extract_op(), {matrix(), int64s({2, 2}, {0, 1, 2, 0})}), {2, 4},
                       {1, 2, 3, 1, 4, 5, 6, 4});
  expect_result<float>(call(extract_op(), {matrix(), int64s({}, {1})}), {2, 1}, {2, 5});
}

TEST(ReferenceArrayFeatureExtractor, PoliciesTakeNegativeIndicesAsOutside) {
  const Tensor x = floats({3}, {1, 2, 3});
  const Tensor y = int64s({3}, {-1, 1, 4});
  expect_result<float>(call(extract_op(), {x, y}, with(OutOfRange::kZero)), {1, 3}, {0, 2, 0});
  expect_result<float>(call(extract_op(), {x, y}, with(OutOfRange::kClamp)), {1, 3}, {1, 2, 3});
  expect_result<float>(call(extract_op(), {x, y}, with(OutOfRange::kModulo)), {1, 3}, {3, 2, 2});
}

TEST(ReferenceArrayFeatureExtractor, C1ScalarX) {
  expect_error(call(extract_op(), {floats({}, {1}), int64s({1}, {0})}), ErrorCode::kShape,
               "ONNX-ArrayFeatureExtractor-C1");
}

TEST(ReferenceArrayFeatureExtractor, C2NegativeIndex) {
  const Result<Tensor> result = call(extract_op(), {matrix(), int64s({2}, {0, -1})});
  expect_error(result, ErrorCode::kIndexOutOfRange, "ONNX-ArrayFeatureExtractor-C2");
  EXPECT_EQ(result.error().index_fault()->input, "Y");
  EXPECT_EQ(result.error().index_fault()->axis, 1);
  expect_error(call(extract_op(), {matrix(), int64s({1}, {3})}), ErrorCode::kIndexOutOfRange,
               "ONNX-ArrayFeatureExtractor-C2");
}

}  // namespace

}  // namespace windrow::internal::reference
