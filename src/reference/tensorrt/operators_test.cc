#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
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

namespace {

constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

Tensor cache() { return floats({2, 1, 3, 1}, {1, 2, 3, 4, 5, 6}); }

Result<Tensor> update(std::int64_t first, std::int64_t second, const CallOptions& options = {}) {
  return call(tensorrt::KVCacheUpdate(),
              {cache(), floats({2, 1, 2, 1}, {10, 20, 30, 40}), int64s({2}, {first, second})},
              options);
}

TEST(TensorrtKVCacheUpdate, WritesFromTheWriteIndexOn) {
  expect_result<float>(update(0, 1), {2, 1, 3, 1}, {10, 20, 3, 4, 30, 40});
}

TEST(TensorrtKVCacheUpdate, WhatIsOutsideIsDropped) {
  expect_result<float>(update(2, -1), {2, 1, 3, 1}, {1, 2, 10, 40, 5, 6});
  expect_result<float>(update(3, -2), {2, 1, 3, 1}, {1, 2, 3, 4, 5, 6});
  expect_result<float>(update(kHighest, -kHighest - 1), {2, 1, 3, 1}, {1, 2, 3, 4, 5, 6});
}

TEST(TensorrtKVCacheUpdate, OtherPolicies) {
  expect_result<float>(update(2, -1, with(OutOfRange::kModulo)), {2, 1, 3, 1},
                       {20, 2, 10, 40, 5, 30});
  expect_result<float>(update(2, -1, with(OutOfRange::kClamp)), {2, 1, 3, 1}, {1, 2, 20, 40, 5, 6});
  expect_error(update(1, 2, with(OutOfRange::kError)), ErrorCode::kIndexOutOfRange,
               "TENSORRT-KVCacheUpdate-C4");
  expect_error(update(-1, 0, with(OutOfRange::kError)), ErrorCode::kIndexOutOfRange,
               "TENSORRT-KVCacheUpdate-C4");
  CallOptions strict_clamp = strictly();
  strict_clamp.out_of_range = OutOfRange::kClamp;
  expect_error(update(2, 0, strict_clamp), ErrorCode::kDuplicate, "TENSORRT-KVCacheUpdate-D1");
}

TEST(TensorrtKVCacheUpdate, UpdatesLongerThanTheCache) {
  const Tensor small = floats({1, 1, 2, 1}, {1, 2});
  const Tensor longer = floats({1, 1, 3, 1}, {10, 20, 30});
  const auto write = [&](const Tensor& into, std::int64_t index, const CallOptions& options) {
    return call(tensorrt::KVCacheUpdate(), {into, longer, int64s({1}, {index})}, options);
  };
  expect_result<float>(write(small, 0, {}), {1, 1, 2, 1}, {10, 20});
  expect_result<float>(write(small, -1, {}), {1, 1, 2, 1}, {20, 30});
  expect_error(write(small, 0, with(OutOfRange::kError)), ErrorCode::kIndexOutOfRange,
               "TENSORRT-KVCacheUpdate-C4");
  const Tensor nothing = empty(DType::kFloat32, {1, 1, 0, 1});
  expect_result<float>(write(nothing, 0, {}), {1, 1, 0, 1}, {});
  for (const OutOfRange policy : {OutOfRange::kClamp, OutOfRange::kModulo})
    expect_error(write(nothing, 0, with(policy)), ErrorCode::kIndexOutOfRange,
                 "TENSORRT-KVCacheUpdate-C4");
}

TEST(TensorrtKVCacheUpdate, Rules) {
  const Tensor update = floats({2, 1, 1, 1}, {1, 2});
  const Tensor indices = int64s({2}, {0, 0});
  tensorrt::KVCacheUpdate circular;
  circular.mode = "CIRCULAR";
  expect_error(call(circular, {cache(), update, indices}), ErrorCode::kInvalidArgument,
               "TENSORRT-KVCacheUpdate-A3");
  expect_error(call(tensorrt::KVCacheUpdate(), {cache(), floats({2, 1, 1}, {1, 2}), indices}),
               ErrorCode::kShape, "TENSORRT-KVCacheUpdate-C1");
  expect_error(
      call(tensorrt::KVCacheUpdate(), {cache(), floats({2, 1, 1, 2}, {1, 2, 3, 4}), indices}),
      ErrorCode::kShape, "TENSORRT-KVCacheUpdate-C2");
  expect_error(call(tensorrt::KVCacheUpdate(), {cache(), update, int64s({1, 2}, {0, 0})}),
               ErrorCode::kShape, "TENSORRT-KVCacheUpdate-C3");
}

TEST(TensorrtKVCacheUpdate, StrictTakesThreeTypes) {
  const auto write = [](DType dtype) {
    return call(tensorrt::KVCacheUpdate(),
                {empty(dtype, {1, 1, 1, 1}), empty(dtype, {1, 1, 1, 1}), int64s({1}, {0})},
                strictly());
  };
  for (const DType dtype : {DType::kFloat32, DType::kFloat16, DType::kBFloat16})
    EXPECT_TRUE(write(dtype).ok());
  for (const DType dtype :
       {DType::kInt4, DType::kInt8, DType::kInt32, DType::kUint8, DType::kFloat8E4M3FN})
    expect_error(write(dtype), ErrorCode::kType, "TENSORRT-KVCacheUpdate-S2");
}

}  // namespace

}  // namespace windrow::internal::reference
