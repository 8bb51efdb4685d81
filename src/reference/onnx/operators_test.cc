#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "src/reference/onnx/operators.h"
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

namespace {

TEST(OnnxHasReduction, NotForComplexOrderNorStringProducts) {
  EXPECT_FALSE(onnx_has_reduction(DType::kComplex64, Reduction::kMin));
  EXPECT_FALSE(onnx_has_reduction(DType::kComplex128, Reduction::kMax));
  EXPECT_TRUE(onnx_has_reduction(DType::kComplex64, Reduction::kMul));
  EXPECT_FALSE(onnx_has_reduction(DType::kString, Reduction::kMul));
  EXPECT_TRUE(onnx_has_reduction(DType::kString, Reduction::kMin));
  EXPECT_TRUE(onnx_has_reduction(DType::kString, Reduction::kNone));
  EXPECT_TRUE(onnx_has_reduction(DType::kBool, Reduction::kMul));
}

}  // namespace

namespace {

onnx::ScatterElements scatter_op(std::string reduction = "none", int version = 18,
                                 std::int64_t axis = 0) {
  onnx::ScatterElements op;
  op.axis = axis;
  op.reduction = std::move(reduction);
  op.version = version;
  return op;
}

onnx::Scatter old_scatter(int version, std::int64_t axis = 0) {
  onnx::Scatter op;
  op.axis = axis;
  op.version = version;
  return op;
}

Tensor page_indices() { return int64s({2, 3}, {1, 0, 2, 0, 2, 1}); }
Tensor page_updates() { return floats({2, 3}, {1.0F, 1.1F, 1.2F, 2.0F, 2.1F, 2.2F}); }
Tensor ones(std::int64_t n) {
  return Tensor::from<float>({n}, std::vector<float>(static_cast<std::size_t>(n), 1.0F));
}

TEST(ReferenceScatter, PageExamples) {
  for (const int version : {9, 11}) {
    expect_result<float>(call(old_scatter(version),
                              {empty(DType::kFloat32, {3, 3}), page_indices(), page_updates()}),
                         {3, 3}, {2.0F, 1.1F, 0.0F, 1.0F, 0.0F, 2.2F, 0.0F, 2.1F, 1.2F});
    expect_result<float>(
        call(old_scatter(version, 1), {floats({1, 5}, {1, 2, 3, 4, 5}), int64s({1, 2}, {1, 3}),
                                       floats({1, 2}, {1.1F, 2.1F})}),
        {1, 5}, {1.0F, 1.1F, 3.0F, 2.1F, 5.0F});
  }
}

TEST(ReferenceScatter, S1StrictRefusesNegativeIndicesOfVersion9) {
  const Tensor indices = int64s({1}, {-1});
  expect_error(call(old_scatter(9), {ones(3), indices, ones(1)}, strictly()),
               ErrorCode::kIndexOutOfRange, "ONNX-Scatter-S1");
  EXPECT_TRUE(call(old_scatter(9), {ones(3), indices, ones(1)}).ok());
  EXPECT_TRUE(call(old_scatter(11), {ones(3), indices, ones(1)}, strictly()).ok());
}

TEST(ReferenceScatter, LabelsAreItsOwn) {
  const auto run_with = [](const TensorView& data, const TensorView& indices,
                           const TensorView& updates, std::int64_t axis = 0) {
    return call(old_scatter(11, axis), {data, indices, updates}, no_duplicates());
  };
  expect_error(run_with(ones(3), int64s({1, 1}, {0}), ones(1)), ErrorCode::kShape,
               "ONNX-Scatter-C1");
  expect_error(run_with(ones(3), int64s({1}, {0}), ones(1), 1), ErrorCode::kInvalidArgument,
               "ONNX-Scatter-A1");
  expect_error(run_with(ones(3), int64s({2}, {0, 1}), ones(1)), ErrorCode::kShape,
               "ONNX-Scatter-C2");
  expect_error(run_with(floats({1, 1}, {0}), int64s({1, 2}, {0, 0}), floats({1, 2}, {1, 2})),
               ErrorCode::kShape, "ONNX-Scatter-C3");
  expect_error(run_with(ones(3), int64s({1}, {3}), ones(1)), ErrorCode::kIndexOutOfRange,
               "ONNX-Scatter-C4");
  expect_error(run_with(ones(3), int64s({2}, {0, 0}), ones(2)), ErrorCode::kDuplicate,
               "ONNX-Scatter-D1");
}

TEST(ReferenceScatterElements, EveryReductionFoldsInOrder) {
  const Tensor data = floats({3}, {1, 2, 3});
  const Tensor indices = int64s({3}, {2, 0, -1});
  const Tensor updates = floats({3}, {10, 20, 4});
  const auto run_with = [&](const std::string& reduction) {
    return call(scatter_op(reduction), {data, indices, updates});
  };
  expect_result<float>(run_with("none"), {3}, {20, 2, 4});
  expect_result<float>(run_with("add"), {3}, {21, 2, 17});
  expect_result<float>(run_with("mul"), {3}, {20, 2, 120});
  expect_result<float>(run_with("max"), {3}, {20, 2, 10});
  expect_result<float>(run_with("min"), {3}, {1, 2, 3});
}

TEST(ReferenceScatterElements, TheOrderOfTheUpdatesDecidesTheRounding) {
  const Tensor data = floats({1}, {0});
  const Tensor indices = int64s({3}, {0, 0, 0});
  expect_result<float>(call(scatter_op("add"), {data, indices, floats({3}, {1e8F, -1e8F, 1.0F})}),
                       {1}, {1.0F});
  expect_result<float>(call(scatter_op("add"), {data, indices, floats({3}, {1.0F, 1e8F, -1e8F})}),
                       {1}, {0.0F});
}

TEST(ReferenceScatterElements, BFloat16RoundsAfterEveryUpdate) {
  const Tensor data = from_bits<std::uint16_t>(DType::kBFloat16, {1}, {0x4380});             // 256
  const Tensor updates = from_bits<std::uint16_t>(DType::kBFloat16, {2}, {0x3f80, 0x3f80});  // 1, 1
  expect_result<std::uint16_t>(call(scatter_op("add"), {data, int64s({2}, {0, 0}), updates}), {1},
                               {0x4380});
}

TEST(ReferenceScatterElements, UntouchedCellsKeepTheirBits) {
  const Tensor data = from_bits<std::uint32_t>(DType::kFloat32, {2}, {0xffc12345, 0x3f800000});
  const Tensor updates = from_bits<std::uint32_t>(DType::kFloat32, {1}, {0x3f800000});
  expect_result<std::uint32_t>(call(scatter_op("add"), {data, int64s({1}, {1}), updates}), {2},
                               {0xffc12345, 0x40000000});
}

TEST(ReferenceScatterElements, StringsConcatenate) {
  const Tensor data = Tensor::of<std::string>({2}, {"a", "b"});
  const Tensor updates = Tensor::of<std::string>({2}, {"x", "y"});
  const Result<Tensor> result = call(scatter_op("add"), {data, int64s({2}, {1, 1}), updates});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->values<std::string>()[0], "a");
  EXPECT_EQ(result->values<std::string>()[1], "bxy");
}

TEST(ReferenceScatterElements, Policies) {
  const Tensor data = floats({3}, {0, 0, 0});
  const Tensor indices = int64s({3}, {3, -4, 1});
  const Tensor updates = floats({3}, {1, 2, 3});
  expect_result<float>(call(scatter_op(), {data, indices, updates}, with(OutOfRange::kSkip)), {3},
                       {0, 3, 0});
  expect_result<float>(call(scatter_op(), {data, indices, updates}, with(OutOfRange::kClamp)), {3},
                       {2, 3, 1});
  expect_result<float>(call(scatter_op(), {data, indices, updates}, with(OutOfRange::kModulo)), {3},
                       {1, 3, 2});
}

TEST(ReferenceScatterElements, IndicesMayBeLongerThanDataAlongTheAxis) {
  expect_result<float>(call(scatter_op("add"), {ones(1), int64s({3}, {0, 0, 0}), ones(3)}), {1},
                       {4});
}

TEST(ReferenceScatterElements, EmptyIndicesCopyData) {
  expect_result<float>(
      call(scatter_op(), {ones(2), empty(DType::kInt64, {0}), empty(DType::kFloat32, {0})}), {2},
      {1, 1});
}

TEST(ReferenceScatterElements, A1AxisOutOfRange) {
  expect_error(call(scatter_op("none", 18, 1), {ones(1), int64s({1}, {0}), ones(1)}),
               ErrorCode::kInvalidArgument, "ONNX-ScatterElements-A1");
}

TEST(ReferenceScatterElements, A2ReductionBefore16) {
  for (const int version : {11, 13}) {
    expect_error(call(scatter_op("add", version), {ones(1), int64s({1}, {0}), ones(1)}),
                 ErrorCode::kInvalidArgument, "ONNX-ScatterElements-A2");
  }
}

TEST(ReferenceScatterElements, A3Reductions) {
  const auto run_with = [](const std::string& reduction, int version) {
    return call(scatter_op(reduction, version), {ones(1), int64s({1}, {0}), ones(1)});
  };
  expect_error(run_with("mean", 18), ErrorCode::kInvalidArgument, "ONNX-ScatterElements-A3");
  expect_error(run_with("max", 16), ErrorCode::kInvalidArgument, "ONNX-ScatterElements-A3");
  EXPECT_TRUE(run_with("mul", 16).ok());
}

TEST(ReferenceScatterElements, A3ReductionsWithoutMeaningForTheType) {
  const Tensor complex = empty(DType::kComplex64, {1});
  const Tensor text = empty(DType::kString, {1});
  const Tensor index = int64s({1}, {0});
  expect_error(call(scatter_op("min"), {complex, index, complex}), ErrorCode::kType,
               "ONNX-ScatterElements-A3");
  expect_error(call(scatter_op("mul"), {text, index, text}), ErrorCode::kType,
               "ONNX-ScatterElements-A3");
}

TEST(ReferenceScatterElements, C1Ranks) {
  expect_error(call(scatter_op(), {ones(1), int64s({1}, {0}), floats({1, 1}, {1})}),
               ErrorCode::kShape, "ONNX-ScatterElements-C1");
  expect_error(call(scatter_op(), {floats({}, {1}), int64s({}, {0}), floats({}, {1})}),
               ErrorCode::kShape, "ONNX-ScatterElements-C1");
}

TEST(ReferenceScatterElements, C2UpdatesShape) {
  expect_error(call(scatter_op(), {ones(3), int64s({1}, {0}), ones(2)}), ErrorCode::kShape,
               "ONNX-ScatterElements-C2");
}

TEST(ReferenceScatterElements, C3LargerOffTheAxis) {
  expect_error(call(scatter_op("none", 18, 1),
                    {floats({1, 2}, {1, 2}), int64s({2, 1}, {0, 0}), floats({2, 1}, {1, 2})}),
               ErrorCode::kShape, "ONNX-ScatterElements-C3");
}

TEST(ReferenceScatterElements, C4IndexOutOfRange) {
  const Result<Tensor> result = call(scatter_op(), {ones(3), int64s({2}, {-4, 3}), ones(2)});
  expect_error(result, ErrorCode::kIndexOutOfRange, "ONNX-ScatterElements-C4");
  EXPECT_EQ(result.error().index_fault()->value, -4);
  EXPECT_EQ(result.error().index_fault()->count, 2);
}

TEST(ReferenceScatterElements, D1NamesBothPositions) {
  const Tensor indices = int64s({2, 2}, {0, 1, 1, 1});
  const Tensor data = empty(DType::kFloat32, {2, 2});
  const Tensor updates = empty(DType::kFloat32, {2, 2});
  const Result<Tensor> result =
      call(scatter_op("add", 18, 1), {data, indices, updates}, no_duplicates());
  expect_error(result, ErrorCode::kDuplicate, "ONNX-ScatterElements-D1");
  EXPECT_EQ(result.error().message(),
            "onnx.ScatterElements-18 [ONNX-ScatterElements-D1]: updates[1, 1] writes the cell at "
            "[1, 1], which updates[1, 0] has written already");
}

TEST(ReferenceScatterElements, D1StrictRefusesOnlyPlainAssignment) {
  const Tensor indices = int64s({2}, {0, -3});
  expect_error(call(scatter_op(), {ones(3), indices, ones(2)}, strictly()), ErrorCode::kDuplicate,
               "ONNX-ScatterElements-D1");
  expect_result<float>(call(scatter_op("add"), {ones(3), indices, ones(2)}, strictly()), {3},
                       {3, 1, 1});
}

TEST(ReferenceScatterElements, D1DroppedUpdatesDoNotCount) {
  CallOptions options = with(OutOfRange::kSkip);
  options.duplicates = Duplicates::kError;
  EXPECT_TRUE(call(scatter_op(), {ones(3), int64s({2}, {7, 7}), ones(2)}, options).ok());
}

TEST(ReferenceCall, O1ZeroOnAScatter) {
  expect_error(call(scatter_op(), {ones(1), int64s({1}, {0}), ones(1)}, with(OutOfRange::kZero)),
               ErrorCode::kInvalidArgument, "CALL-O1");
}

}  // namespace

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

namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

onnx::TensorScatter scatter_op(std::string mode = "linear", std::int64_t axis = -2) {
  onnx::TensorScatter op;
  op.axis = axis;
  op.mode = std::move(mode);
  op.version = 24;
  return op;
}

Tensor cache() { return floats({2, 3, 1}, {1, 2, 3, 4, 5, 6}); }
Tensor two_entries() { return floats({2, 2, 1}, {10, 20, 30, 40}); }

TEST(ReferenceTensorScatter, Linear) {
  expect_result<float>(call(scatter_op(), {cache(), two_entries(), int64s({2}, {1, 0})}), {2, 3, 1},
                       {1, 10, 20, 30, 40, 6});
}

TEST(ReferenceTensorScatter, AbsentWriteIndicesAreZeros) {
  expect_result<float>(call(scatter_op(), {cache(), two_entries(), TensorView()}), {2, 3, 1},
                       {10, 20, 3, 30, 40, 6});
  expect_result<float>(call(scatter_op(), {cache(), two_entries()}), {2, 3, 1},
                       {10, 20, 3, 30, 40, 6});
}

TEST(ReferenceTensorScatter, CircularWrapsTheSequenceAxisOnly) {
  const onnx::TensorScatter op = scatter_op("circular");
  expect_result<float>(call(op, {cache(), two_entries(), int64s({2}, {2, 4})}), {2, 3, 1},
                       {20, 2, 10, 4, 30, 40});
  const Tensor tall = floats({3, 1, 1}, {1, 2, 3});  // more batches than entries
  expect_result<float>(call(op, {tall, floats({3, 1, 1}, {7, 8, 9}), int64s({3}, {5, 6, kMax})}),
                       {3, 1, 1}, {7, 8, 9});
}

TEST(ReferenceTensorScatter, RankTwoAndLastAxis) {
  expect_result<float>(call(scatter_op("linear", 1),
                            {floats({1, 3}, {1, 2, 3}), floats({1, 1}, {9}), int64s({1}, {2})}),
                       {1, 3}, {1, 2, 9});
}

TEST(ReferenceTensorScatter, PackedElements) {
  const Tensor data = from_bits<std::uint8_t>(DType::kInt4, {1, 3}, {0x21, 0x03});
  const Tensor update = from_bits<std::uint8_t>(DType::kInt4, {1, 1}, {0x0f});
  expect_result<std::uint8_t>(call(scatter_op("linear", 1), {data, update, int64s({1}, {1})}),
                              {1, 3}, {0xf1, 0x03});
}

TEST(ReferenceTensorScatter, EightBitFloatsAreCopied) {
  const Tensor data = from_bits<std::uint8_t>(DType::kFloat8E4M3FN, {1, 2}, {0x7f, 0xff});
  const Tensor update = from_bits<std::uint8_t>(DType::kFloat8E4M3FN, {1, 1}, {0x80});
  expect_result<std::uint8_t>(call(scatter_op("linear", 1), {data, update}), {1, 2}, {0x80, 0xff});
}

TEST(ReferenceTensorScatter, LinearPolicies) {
  const auto run_with = [](OutOfRange policy, std::int64_t w0, std::int64_t w1) {
    return call(scatter_op(), {cache(), two_entries(), int64s({2}, {w0, w1})}, with(policy));
  };
  expect_result<float>(run_with(OutOfRange::kSkip, 2, -1), {2, 3, 1}, {1, 2, 10, 40, 5, 6});
  expect_result<float>(run_with(OutOfRange::kSkip, kMax, kMin), {2, 3, 1}, {1, 2, 3, 4, 5, 6});
  expect_result<float>(run_with(OutOfRange::kClamp, 2, -1), {2, 3, 1}, {1, 2, 20, 40, 5, 6});
  expect_result<float>(run_with(OutOfRange::kClamp, kMax, kMin), {2, 3, 1}, {1, 2, 20, 40, 5, 6});
  expect_result<float>(run_with(OutOfRange::kModulo, 2, -1), {2, 3, 1}, {20, 2, 10, 40, 5, 30});
  expect_result<float>(run_with(OutOfRange::kModulo, kMax, 0), {2, 3, 1},  // 2^63-1 = 1 modulo 3
                       {1, 10, 20, 30, 40, 6});
}

TEST(ReferenceTensorScatter, CircularPoliciesTakeNegativeIndicesModulo) {
  for (const OutOfRange policy : {OutOfRange::kSkip, OutOfRange::kClamp, OutOfRange::kModulo}) {
    expect_result<float>(
        call(scatter_op("circular"), {cache(), two_entries(), int64s({2}, {-1, 0})}, with(policy)),
        {2, 3, 1}, {20, 2, 10, 30, 40, 6});
  }
}

TEST(ReferenceTensorScatter, A1Axis) {
  for (const std::int64_t axis : {0, -3, 3, -4}) {
    expect_error(call(scatter_op("linear", axis), {cache(), two_entries()}),
                 ErrorCode::kInvalidArgument, "ONNX-TensorScatter-A1");
  }
}

TEST(ReferenceTensorScatter, A3Mode) {
  expect_error(call(scatter_op("ring"), {cache(), two_entries()}), ErrorCode::kInvalidArgument,
               "ONNX-TensorScatter-A3");
}

TEST(ReferenceTensorScatter, C1Ranks) {
  expect_error(call(scatter_op(), {cache(), floats({2, 2}, {1, 2, 3, 4})}), ErrorCode::kShape,
               "ONNX-TensorScatter-C1");
  expect_error(call(scatter_op(), {floats({2}, {1, 2}), floats({2}, {1, 2})}), ErrorCode::kShape,
               "ONNX-TensorScatter-C1");
}

TEST(ReferenceTensorScatter, C2OtherExtentsDiffer) {
  expect_error(call(scatter_op(), {cache(), floats({1, 2, 1}, {1, 2})}), ErrorCode::kShape,
               "ONNX-TensorScatter-C2");
}

TEST(ReferenceTensorScatter, C3UpdateLongerThanTheCache) {
  for (const std::string mode : {"linear", "circular"}) {
    expect_error(call(scatter_op(mode), {floats({1, 1, 1}, {1}), floats({1, 2, 1}, {1, 2})}),
                 ErrorCode::kShape, "ONNX-TensorScatter-C3");
  }
}

TEST(ReferenceTensorScatter, C4WriteIndicesShape) {
  expect_error(call(scatter_op(), {cache(), two_entries(), int64s({1}, {0})}), ErrorCode::kShape,
               "ONNX-TensorScatter-C4");
  expect_error(call(scatter_op(), {cache(), two_entries(), int64s({2, 1}, {0, 0})}),
               ErrorCode::kShape, "ONNX-TensorScatter-C4");
}

TEST(ReferenceTensorScatter, C5LinearWriteIndices) {
  const Result<Tensor> result = call(scatter_op(), {cache(), two_entries(), int64s({2}, {1, 2})});
  expect_error(result, ErrorCode::kIndexOutOfRange, "ONNX-TensorScatter-C5");
  EXPECT_EQ(result.error().message(),
            "onnx.TensorScatter-24 [ONNX-TensorScatter-C5]: write_indices[1] is 2, out of range "
            "for axis 1 of past_cache with extent 3 (legal: 0 to 1); 1 of 2 indices is out of "
            "range");
  expect_error(call(scatter_op(), {cache(), two_entries(), int64s({2}, {-1, 0})}),
               ErrorCode::kIndexOutOfRange, "ONNX-TensorScatter-C5");
}

TEST(ReferenceTensorScatter, C5NegativeCircularWriteIndices) {
  expect_error(call(scatter_op("circular"), {cache(), two_entries(), int64s({2}, {-1, 0})}),
               ErrorCode::kIndexOutOfRange, "ONNX-TensorScatter-C5");
}

TEST(ReferenceTensorScatter, C5IsCheckedWhereThereIsNothingToWrite) {
  const Tensor nothing = empty(DType::kFloat32, {2, 0, 1});
  expect_error(call(scatter_op(), {cache(), nothing, int64s({2}, {0, 4})}),
               ErrorCode::kIndexOutOfRange, "ONNX-TensorScatter-C5");
  expect_result<float>(call(scatter_op(), {cache(), nothing, int64s({2}, {0, 3})}), {2, 3, 1},
                       {1, 2, 3, 4, 5, 6});
}

TEST(ReferenceTensorScatter, AnEmptyCacheRefusesNothingButUnderError) {
  const Tensor nothing = empty(DType::kFloat32, {1, 0, 1});
  const Tensor index = int64s({1}, {7});
  expect_error(call(scatter_op(), {nothing, nothing, index}), ErrorCode::kIndexOutOfRange,
               "ONNX-TensorScatter-C5");
  for (const OutOfRange policy : {OutOfRange::kSkip, OutOfRange::kClamp, OutOfRange::kModulo})
    expect_result<float>(call(scatter_op(), {nothing, nothing, index}, with(policy)), {1, 0, 1},
                         {});
  expect_result<float>(call(scatter_op("circular"), {nothing, nothing, index}), {1, 0, 1}, {});
}

TEST(ReferenceTensorScatter, D1OnlyClampLetsUpdatesMeet) {
  for (CallOptions options : {no_duplicates(), strictly()}) {
    const Tensor indices = int64s({2}, {0, 2});
    options.out_of_range = OutOfRange::kClamp;
    const Result<Tensor> result = call(scatter_op(), {cache(), two_entries(), indices}, options);
    expect_error(result, ErrorCode::kDuplicate, "ONNX-TensorScatter-D1");
    EXPECT_EQ(result.error().message(),
              "onnx.TensorScatter-24 [ONNX-TensorScatter-D1]: update[1, 1, 0] writes the cell at "
              "[1, 2, 0], which update[1, 0, 0] has written already");
    options.out_of_range = OutOfRange::kModulo;
    EXPECT_TRUE(call(scatter_op(), {cache(), two_entries(), indices}, options).ok());
  }
}

}  // namespace

}  // namespace windrow::internal::reference
