#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
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
