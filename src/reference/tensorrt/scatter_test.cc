#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

tensorrt::Scatter layer(const std::string& mode, std::int64_t axis = 0,
                        int version = tensorrt::kNewestRelease) {
  tensorrt::Scatter op;
  op.mode = mode;
  op.axis = axis;
  op.version = version;
  return op;
}

Tensor table() { return floats({2, 3}, {1, 2, 3, 4, 5, 6}); }

TEST(TensorrtScatter, Element) {
  expect_result<float>(call(layer("ELEMENT", 1), {table(), int64s({2, 2}, {2, 0, -1, -1}),
                                                  floats({2, 2}, {10, 20, 30, 40})}),
                       {2, 3}, {20, 2, 10, 4, 5, 40});
}

TEST(TensorrtScatter, NdIgnoresTheAxis) {
  expect_result<float>(
      call(layer("ND", -7), {table(), int64s({1, 1}, {1}), floats({1, 3}, {10, 20, 30})}), {2, 3},
      {1, 2, 3, 10, 20, 30});
  expect_result<float>(
      call(layer("ND"), {table(), int64s({2, 2}, {0, 1, -1, -1}), floats({2}, {10, 20})}), {2, 3},
      {1, 10, 3, 4, 5, 20});
}

TEST(TensorrtScatter, OutsideIsDroppedUnlessAskedOtherwise) {
  const auto scatter = [](const CallOptions& options) {
    return call(layer("ELEMENT"),
                {floats({3}, {1, 2, 3}), int64s({2}, {-4, 4}), floats({2}, {8, 9})}, options);
  };
  expect_result<float>(scatter({}), {3}, {1, 2, 3});
  expect_result<float>(scatter(with(OutOfRange::kClamp)), {3}, {8, 2, 9});
  expect_result<float>(scatter(with(OutOfRange::kModulo)), {3}, {1, 9, 8});
  expect_error(scatter(with(OutOfRange::kError)), ErrorCode::kIndexOutOfRange,
               "TENSORRT-Scatter-C4");
  expect_error(scatter(with(OutOfRange::kZero)), ErrorCode::kInvalidArgument, "CALL-O1");
}

TEST(TensorrtScatter, StrictRefusesEveryIndexThatIsNoCoordinate) {
  for (const std::int64_t index : {-1, 3}) {
    for (const OutOfRange policy :
         {OutOfRange::kError, OutOfRange::kSkip, OutOfRange::kClamp, OutOfRange::kModulo}) {
      CallOptions options = strictly();
      options.out_of_range = policy;
      expect_error(call(layer("ELEMENT"),
                        {floats({3}, {1, 2, 3}), int64s({1}, {index}), floats({1}, {8})}, options),
                   ErrorCode::kIndexOutOfRange, "TENSORRT-Scatter-S3");
      expect_error(
          call(layer("ND"), {floats({3}, {1, 2, 3}), int64s({1, 1}, {index}), floats({1}, {8})},
               options),
          ErrorCode::kIndexOutOfRange, "TENSORRT-Scatter-S3");
    }
  }
  expect_result<float>(
      call(layer("ND"), {floats({2}, {1, 2}), int64s({1, 1}, {1}), floats({1}, {8})}, strictly()),
      {2}, {1, 8});
}

TEST(TensorrtScatter, TheLastOfTwoUpdatesWins) {
  const Tensor indices = int64s({2}, {1, 1});
  const Tensor updates = floats({2}, {8, 9});
  expect_result<float>(call(layer("ELEMENT"), {floats({2}, {1, 2}), indices, updates}), {2},
                       {1, 9});
  for (const CallOptions& options : {strictly(), no_duplicates()})
    expect_error(call(layer("ELEMENT"), {floats({2}, {1, 2}), indices, updates}, options),
                 ErrorCode::kDuplicate, "TENSORRT-Scatter-D1");
}

TEST(TensorrtScatter, Settings) {
  const Tensor index = int64s({1, 1}, {0});
  const Tensor update = floats({1, 1}, {1});
  expect_error(call(layer("DEFAULT"), {table(), index, update}), ErrorCode::kInvalidArgument,
               "TENSORRT-Scatter-A3");
  for (const std::int64_t axis : {-1, 2})
    expect_error(call(layer("ELEMENT", axis), {table(), index, update}),
                 ErrorCode::kInvalidArgument, "TENSORRT-Scatter-A1");
}

TEST(TensorrtScatter, Shapes) {
  const Tensor index = int64s({1}, {0});
  expect_error(call(layer("ELEMENT"), {table(), index, floats({1}, {1})}), ErrorCode::kShape,
               "TENSORRT-Scatter-C1");
  expect_error(call(layer("ELEMENT"), {floats({2}, {1, 2}), index, floats({2}, {1, 2})}),
               ErrorCode::kShape, "TENSORRT-Scatter-C2");
  expect_error(
      call(layer("ELEMENT"), {table(), int64s({1, 4}, {0, 0, 0, 0}), floats({1, 4}, {1, 2, 3, 4})}),
      ErrorCode::kShape, "TENSORRT-Scatter-C3");
  expect_error(call(layer("ND"), {table(), int64s({}, {0}), floats({1}, {1})}), ErrorCode::kShape,
               "TENSORRT-Scatter-C1");
  expect_error(call(layer("ND"), {table(), int64s({3}, {0, 0, 0}), floats({}, {1})}),
               ErrorCode::kShape, "TENSORRT-Scatter-C2");
  expect_error(call(layer("ND"),
                    {table(), empty(DType::kInt64, {1, 0}), floats({1, 2, 3}, {1, 2, 3, 4, 5, 6})}),
               ErrorCode::kShape, "TENSORRT-Scatter-C2");
  expect_error(call(layer("ND"), {table(), int64s({1, 1}, {0}), floats({3}, {1, 2, 3})}),
               ErrorCode::kShape, "TENSORRT-Scatter-C3");
}

TEST(TensorrtScatter, StrictTakesWhatTheReleaseTakes) {
  const auto scatter = [](DType dtype, int version, DType index = DType::kInt32, int rank = 1) {
    const Shape shape = Shape::filled(rank, 1);
    return call(layer("ELEMENT", 0, version),
                {empty(dtype, shape), empty(index, shape), empty(dtype, shape)}, strictly());
  };
  expect_error(scatter(DType::kInt64, 8), ErrorCode::kType, "TENSORRT-Scatter-S2");
  for (const int version : {9, 10, 11}) EXPECT_TRUE(scatter(DType::kInt64, version).ok());
  for (const int version : {8, 9, 10}) {
    EXPECT_TRUE(scatter(DType::kInt8, version).ok());
    expect_error(scatter(DType::kBool, version), ErrorCode::kType, "TENSORRT-Scatter-S2");
  }
  EXPECT_TRUE(scatter(DType::kBool, 11).ok());
  expect_error(scatter(DType::kInt8, 11), ErrorCode::kType, "TENSORRT-Scatter-S2");
  for (const DType dtype : {DType::kUint8, DType::kInt4, DType::kFloat8E4M3FN})
    expect_error(scatter(dtype, 11), ErrorCode::kType, "TENSORRT-Scatter-S2");
  expect_error(scatter(DType::kInt32, 8, DType::kInt64), ErrorCode::kType, "TENSORRT-Scatter-S2");
  EXPECT_TRUE(scatter(DType::kInt32, 11, DType::kInt64, 8).ok());
  expect_error(scatter(DType::kInt32, 11, DType::kInt64, 9), ErrorCode::kShape,
               "TENSORRT-Scatter-S1");
}

TEST(TensorrtScatter, OddNumbersOfPackedElements) {
  const Tensor data = from_bits<std::uint8_t>(DType::kInt4, {1, 3}, {0x21, 0x03});
  const Tensor update = from_bits<std::uint8_t>(DType::kInt4, {1, 1}, {0x0f});
  expect_result<std::uint8_t>(call(layer("ELEMENT", 1), {data, int64s({1, 1}, {2}), update}),
                              {1, 3}, {0x21, 0x0f});
}

}  // namespace
}  // namespace windrow::internal::reference
