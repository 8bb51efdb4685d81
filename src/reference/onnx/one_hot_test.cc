#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
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
}  // namespace windrow::internal::reference
