#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

tensorrt::Gather layer(const std::string& mode, std::int64_t axis = 0, std::int64_t dims = 0,
                       int version = tensorrt::kNewestRelease) {
  tensorrt::Gather op;
  op.mode = mode;
  op.axis = axis;
  op.num_elementwise_dims = dims;
  op.version = version;
  return op;
}

Tensor table() { return floats({2, 3}, {1, 2, 3, 4, 5, 6}); }

Tensor wide(int rank) { return Tensor::zeros(DType::kFloat32, Shape::filled(rank, 1)).value(); }

TEST(TensorrtGather, DefaultPutsTheIndicesInPlaceOfTheAxis) {
  expect_result<float>(call(layer("DEFAULT", 1), {table(), int64s({1, 2}, {2, -3})}), {2, 1, 2},
                       {3, 1, 6, 4});
  expect_result<float>(call(layer("DEFAULT"), {table(), int64s({}, {1})}), {3}, {4, 5, 6});
}

TEST(TensorrtGather, DefaultRepeatsTheLeadingAxis) {
  const auto gather = [](const Tensor& data, const Tensor& indices) {
    return call(layer("DEFAULT", 1, 1), {data, indices});
  };
  expect_result<float>(gather(table(), int64s({2, 1}, {2, 0})), {2, 1}, {3, 4});
  expect_result<float>(gather(table(), int64s({1, 2}, {2, 0})), {2, 2}, {3, 1, 6, 4});
  expect_result<float>(gather(floats({1, 3}, {1, 2, 3}), int64s({2, 1}, {2, 0})), {2, 1}, {3, 1});
  expect_result<float>(gather(empty(DType::kFloat32, {0, 3}), int64s({1, 1}, {2})), {0, 1}, {});
  expect_result<float>(gather(floats({1, 3}, {1, 2, 3}), empty(DType::kInt64, {0, 2})), {0, 2}, {});
  expect_error(gather(table(), int64s({3, 1}, {0, 0, 0})), ErrorCode::kShape, "TENSORRT-Gather-C2");
}

TEST(TensorrtGather, AxesBetweenTheLeadingOneAndTheAxis) {
  const Tensor data = floats({1, 2, 3}, {1, 2, 3, 4, 5, 6});
  expect_result<float>(call(layer("DEFAULT", 2, 1), {data, int64s({2, 1}, {0, 2})}), {2, 2, 1},
                       {1, 4, 3, 6});
}

TEST(TensorrtGather, Element) {
  expect_result<float>(call(layer("ELEMENT", 1), {table(), int64s({1, 4}, {2, 0, -1, 7})}), {1, 4},
                       {3, 1, 3, 0});
  expect_error(call(layer("ELEMENT", 1), {table(), int64s({3, 1}, {0, 0, 0})}), ErrorCode::kShape,
               "TENSORRT-Gather-C2");
  expect_error(call(layer("ELEMENT", 1), {table(), int64s({1}, {0})}), ErrorCode::kShape,
               "TENSORRT-Gather-C1");
  expect_error(call(layer("ELEMENT", 1, 1), {table(), int64s({2, 1}, {0, 0})}),
               ErrorCode::kInvalidArgument, "TENSORRT-Gather-A4");
}

TEST(TensorrtGather, NdIgnoresTheAxis) {
  expect_result<float>(call(layer("ND", 99), {table(), int64s({2, 2}, {1, 2, 0, -1})}), {2},
                       {6, 3});
  expect_result<float>(call(layer("ND", 0, 1), {table(), int64s({2, 1}, {-1, 0})}), {2}, {3, 4});
  expect_error(call(layer("ND", 0, 1), {table(), int64s({1, 1}, {0})}), ErrorCode::kShape,
               "TENSORRT-Gather-C2");
  expect_error(call(layer("ND"), {table(), int64s({1, 3}, {0, 0, 0})}), ErrorCode::kShape,
               "TENSORRT-Gather-C3");
  expect_error(call(layer("ND"), {table(), empty(DType::kInt64, {1, 0})}), ErrorCode::kShape,
               "TENSORRT-Gather-C3");
  expect_error(call(layer("ND"), {table(), int64s({}, {0})}), ErrorCode::kShape,
               "TENSORRT-Gather-C1");
}

TEST(TensorrtGather, OutsideIsZeroUnlessAskedOtherwise) {
  const Tensor indices = int64s({3}, {3, -4, (std::int64_t{1} << 32) + 1});
  const auto gather = [&](const CallOptions& options) {
    return call(layer("DEFAULT", 1), {floats({1, 3}, {1, 2, 3}), indices}, options);
  };
  expect_result<float>(gather({}), {1, 3}, {0, 0, 0});
  expect_result<float>(gather(strictly()), {1, 3}, {0, 0, 0});
  expect_result<float>(gather(with(OutOfRange::kClamp)), {1, 3}, {3, 1, 3});
  expect_result<float>(gather(with(OutOfRange::kModulo)), {1, 3}, {1, 3, 3});
  expect_error(gather(with(OutOfRange::kError)), ErrorCode::kIndexOutOfRange, "TENSORRT-Gather-C5");
  expect_error(gather(with(OutOfRange::kSkip)), ErrorCode::kInvalidArgument, "CALL-O1");
}

TEST(TensorrtGather, Settings) {
  const Tensor index = int64s({1}, {0});
  for (const char* mode : {"default", "", "GATHER"})
    expect_error(call(layer(mode), {table(), index}), ErrorCode::kInvalidArgument,
                 "TENSORRT-Gather-A3");
  for (const std::int64_t axis : {-1, 2})
    expect_error(call(layer("DEFAULT", axis), {table(), index}), ErrorCode::kInvalidArgument,
                 "TENSORRT-Gather-A1");
  for (const std::int64_t dims : {-1, 2})
    expect_error(call(layer("DEFAULT", 1, dims), {table(), int64s({1, 1}, {0})}),
                 ErrorCode::kInvalidArgument, "TENSORRT-Gather-A4");
  expect_error(call(layer("DEFAULT", 0, 1), {table(), index}), ErrorCode::kInvalidArgument,
               "TENSORRT-Gather-A4");
  expect_error(call(layer("DEFAULT", 1, 1), {table(), int64s({}, {0})}),
               ErrorCode::kInvalidArgument, "TENSORRT-Gather-A4");
  expect_error(call(layer("ND", 0, 1), {table(), index}), ErrorCode::kInvalidArgument,
               "TENSORRT-Gather-A4");
}

TEST(TensorrtGather, RanksAbove32AreErrorsAndAbove8Strict) {
  const Tensor index = int64s({1, 1}, {0});
  expect_error(call(layer("DEFAULT"), {wide(32), index}), ErrorCode::kShape, "TENSORRT-Gather-C4");
  expect_error(call(layer("ND"), {wide(32), int64s({1, 1, 1}, {0})}), ErrorCode::kShape,
               "TENSORRT-Gather-C4");
  EXPECT_TRUE(call(layer("DEFAULT"), {wide(9), index}).ok());
  EXPECT_TRUE(call(layer("DEFAULT"), {wide(7), index}, strictly()).ok());
  expect_error(call(layer("DEFAULT"), {wide(8), index}, strictly()), ErrorCode::kShape,
               "TENSORRT-Gather-S1");
  expect_error(call(layer("ND"), {wide(9), index}, strictly()), ErrorCode::kShape,
               "TENSORRT-Gather-S1");
  expect_error(
      call(layer("ELEMENT"), {wide(9), empty(DType::kInt64, Shape::filled(9, 1))}, strictly()),
      ErrorCode::kShape, "TENSORRT-Gather-S1");
}

TEST(TensorrtGather, StrictTakesTheTypesOfTheRelease) {
  const auto gather = [](DType dtype, int version, DType index = DType::kInt32) {
    return call(layer("DEFAULT", 0, 0, version), {empty(dtype, {1}), empty(index, {1})},
                strictly());
  };
  for (const DType dtype : {DType::kInt64, DType::kBFloat16}) {
    expect_error(gather(dtype, 8), ErrorCode::kType, "TENSORRT-Gather-S2");
    EXPECT_TRUE(gather(dtype, 9).ok());
  }
  for (const DType dtype : {DType::kInt4, DType::kFloat8E4M3FN}) {
    expect_error(gather(dtype, 9), ErrorCode::kType, "TENSORRT-Gather-S2");
    EXPECT_TRUE(gather(dtype, 10).ok());
    EXPECT_TRUE(gather(dtype, 11).ok());
  }
  for (const int version : {8, 9, 10, 11}) {
    EXPECT_TRUE(gather(DType::kBool, version).ok());
    expect_error(gather(DType::kUint8, version), ErrorCode::kType, "TENSORRT-Gather-S2");
  }
  expect_error(gather(DType::kFloat32, 8, DType::kInt64), ErrorCode::kType, "TENSORRT-Gather-S2");
  EXPECT_TRUE(gather(DType::kFloat32, 9, DType::kInt64).ok());
  EXPECT_TRUE(call(layer("DEFAULT", 0, 0, 8), {empty(DType::kUint8, {1}), int64s({1}, {0})}).ok());
}

TEST(TensorrtGather, TheTypeComesBeforeTheModeAndTheShapeBeforeTheRank) {
  const Tensor bytes = empty(DType::kUint8, {1});
  expect_error(call(layer("other"), {bytes, int64s({1}, {0})}, strictly()), ErrorCode::kType,
               "TENSORRT-Gather-S2");
  expect_error(call(layer("ND"), {wide(9), int64s({}, {0})}, strictly()), ErrorCode::kShape,
               "TENSORRT-Gather-C1");
}

TEST(TensorrtGather, Message) {
  const auto result = call(layer("DEFAULT", 1, 3), {table(), int64s({2, 1}, {0, 0})});
  EXPECT_EQ(
      result.error().message(),
      "tensorrt.Gather-11 [TENSORRT-Gather-A4]: num_elementwise_dims is 3, must be in [0, 1]");
}

}  // namespace
}  // namespace windrow::internal::reference
