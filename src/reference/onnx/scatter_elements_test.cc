#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
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
}  // namespace windrow::internal::reference
