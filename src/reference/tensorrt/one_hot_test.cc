#include <gtest/gtest.h>

#include <cstdint>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

tensorrt::OneHot layer(std::int64_t axis = -1, int version = tensorrt::kNewestRelease) {
  tensorrt::OneHot op;
  op.axis = axis;
  op.version = version;
  return op;
}

Tensor off_on() { return floats({2}, {0, 1}); }

Tensor int32s(const Shape& shape, std::initializer_list<std::int32_t> values) {
  return Tensor::of<std::int32_t>(shape, values);
}

TEST(TensorrtOneHot, ValuesComeBeforeDepth) {
  expect_result<float>(call(layer(), {int32s({2}, {2, 0}), off_on(), int32s({}, {3})}), {2, 3},
                       {0, 0, 1, 1, 0, 0});
  for (const std::int64_t axis : {0, -2})
    expect_result<float>(call(layer(axis), {int32s({2}, {2, 0}), off_on(), int64s({}, {3})}),
                         {3, 2}, {0, 1, 0, 0, 1, 0});
}

TEST(TensorrtOneHot, OutsideIsOffUnlessAskedOtherwise) {
  const auto one_hot = [](const CallOptions& options) {
    return call(layer(), {int64s({3}, {-1, 3, -4}), off_on(), int32s({}, {3})}, options);
  };
  expect_result<float>(one_hot({}), {3, 3}, {0, 0, 1, 0, 0, 0, 0, 0, 0});
  expect_result<float>(one_hot(with(OutOfRange::kClamp)), {3, 3}, {0, 0, 1, 0, 0, 1, 1, 0, 0});
  expect_result<float>(one_hot(with(OutOfRange::kModulo)), {3, 3}, {0, 0, 1, 1, 0, 0, 0, 0, 1});
  expect_error(one_hot(with(OutOfRange::kError)), ErrorCode::kIndexOutOfRange,
               "TENSORRT-OneHot-C4");
  expect_error(one_hot(with(OutOfRange::kZero)), ErrorCode::kInvalidArgument, "CALL-O1");
}

TEST(TensorrtOneHot, StrictRefusesEveryIndexThatIsNoCoordinate) {
  for (const std::int32_t index : {-1, 3}) {
    for (const OutOfRange policy :
         {OutOfRange::kError, OutOfRange::kSkip, OutOfRange::kClamp, OutOfRange::kModulo}) {
      CallOptions options = strictly();
      options.out_of_range = policy;
      expect_error(call(layer(), {int32s({1}, {index}), off_on(), int32s({}, {3})}, options),
                   ErrorCode::kIndexOutOfRange, "TENSORRT-OneHot-S3");
    }
  }
  expect_result<float>(call(layer(), {int32s({1}, {2}), off_on(), int32s({}, {3})}, strictly()),
                       {1, 3}, {0, 0, 1});
}

TEST(TensorrtOneHot, ShapesAndAxis) {
  const Tensor index = int32s({1}, {0});
  const Tensor three = int32s({}, {3});
  expect_error(call(layer(), {index, floats({1}, {0}), three}), ErrorCode::kShape,
               "TENSORRT-OneHot-C1");
  for (const std::int64_t axis : {-3, 2})
    expect_error(call(layer(axis), {index, off_on(), three}), ErrorCode::kInvalidArgument,
                 "TENSORRT-OneHot-A1");
  expect_error(call(layer(), {empty(DType::kInt32, Shape::filled(32, 1)), off_on(), three}),
               ErrorCode::kShape, "TENSORRT-OneHot-C2");
  for (const Tensor& wrong : {int32s({1}, {3}), int32s({2}, {3, 3}), int32s({}, {-1})})
    expect_error(call(layer(), {index, off_on(), wrong}), ErrorCode::kShape, "TENSORRT-OneHot-C3");
}

TEST(TensorrtOneHot, StrictTakesWhatTheReleaseTakes) {
  const auto one_hot = [](DType values, int version, DType index = DType::kInt32, int rank = 1) {
    return call(layer(-1, version),
                {empty(index, Shape::filled(rank, 1)), empty(values, {2}), int64s({}, {1})},
                strictly());
  };
  for (const DType dtype : {DType::kInt64, DType::kBFloat16}) {
    expect_error(one_hot(dtype, 8), ErrorCode::kType, "TENSORRT-OneHot-S2");
    for (const int version : {9, 10, 11}) EXPECT_TRUE(one_hot(dtype, version).ok());
  }
  for (const int version : {8, 9, 10, 11}) {
    EXPECT_TRUE(one_hot(DType::kBool, version).ok());
    for (const DType dtype : {DType::kUint8, DType::kFloat8E4M3FN})
      expect_error(one_hot(dtype, version), ErrorCode::kType, "TENSORRT-OneHot-S2");
    expect_error(one_hot(DType::kFloat32, version, DType::kInt64), ErrorCode::kType,
                 "TENSORRT-OneHot-S2");
  }
  EXPECT_TRUE(one_hot(DType::kFloat32, 11, DType::kInt32, 7).ok());
  for (const int rank : {8, 9})
    expect_error(one_hot(DType::kFloat32, 11, DType::kInt32, rank), ErrorCode::kShape,
                 "TENSORRT-OneHot-S1");
}

}  // namespace
}  // namespace windrow::internal::reference
