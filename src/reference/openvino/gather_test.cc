#include <gtest/gtest.h>

#include <cstdint>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

openvino::Gather gather_op(std::int64_t batch_dims = 0, int version = 8) {
  openvino::Gather op;
  op.batch_dims = batch_dims;
  op.version = version;
  return op;
}

Tensor page_data() { return Tensor::of<std::int32_t>({5}, {1, 2, 3, 4, 5}); }

CallOptions strictly_with(OutOfRange policy) {
  CallOptions options = with(policy);
  options.strict = true;
  return options;
}

TEST(OpenvinoGather, PageExamples) {
  const Tensor batches = Tensor::of<std::int32_t>({2, 5}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  expect_result<std::int32_t>(
      call(gather_op(), {page_data(), int64s({3}, {0, 0, 4}), int64s({}, {0})}), {3}, {1, 1, 5});
  expect_result<std::int32_t>(
      call(gather_op(1), {batches, int64s({2, 3}, {0, 0, 4, 4, 0, 0}), int64s({}, {1})}), {2, 3},
      {1, 1, 5, 10, 6, 6});
  expect_result<std::int32_t>(
      call(gather_op(), {page_data(), int64s({3}, {3, 10, -20}), int64s({}, {0})}), {3}, {4, 0, 0});
}

TEST(OpenvinoGather, BatchAxesAxesBetweenAndScalarIndices) {
  const Tensor data = floats({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  expect_result<float>(call(gather_op(1), {data, int64s({2, 1}, {1, 0}), int64s({1}, {-1})}),
                       {2, 2, 1}, {2, 4, 5, 7});
  expect_result<float>(call(gather_op(-1), {data, int64s({2}, {1, 0}), int64s({}, {1})}), {2, 2, 2},
                       {3, 4, 1, 2, 7, 8, 5, 6});
  expect_result<float>(call(gather_op(-1), {data, int64s({2, 1}, {1, 0}), int64s({}, {1})}),
                       {2, 1, 2}, {3, 4, 5, 6});
  expect_result<float>(call(gather_op(), {floats({2}, {1, 2}), int64s({}, {-1}), int64s({}, {0})}),
                       {}, {2});
}

TEST(OpenvinoGather, AnAxisOfAnyIntegerType) {
  const Tensor data = floats({1, 2}, {1, 2});
  const Tensor index = int64s({}, {1});
  expect_result<float>(
      call(gather_op(), {data, index, from_bits<std::uint8_t>(DType::kInt4, {}, {0x0f})}), {1},
      {2});
  expect_result<float>(
      call(gather_op(), {data, index, from_bits<std::uint8_t>(DType::kUint4, {1}, {0x01})}), {1},
      {2});
  expect_error(
      call(gather_op(), {data, index, from_bits<std::uint64_t>(DType::kUint64, {}, {~0ULL})}),
      ErrorCode::kInvalidArgument, "OPENVINO-Gather-A1");
}

TEST(OpenvinoGather, A1ShapeAndRangeOfTheAxis) {
  const Tensor index = int64s({1}, {0});
  const auto with_axis = [&](const Tensor& axis) {
    return call(gather_op(), {page_data(), index, axis});
  };
  for (const Tensor& axis : {int64s({}, {1}), int64s({1}, {-2}), int64s({2}, {0, 0}),
                             int64s({1, 1}, {0}), int64s({0}, {})})
    expect_error(with_axis(axis), ErrorCode::kInvalidArgument, "OPENVINO-Gather-A1");
  EXPECT_EQ(with_axis(int64s({1, 1}, {0})).error().message(),
            "openvino.Gather-8 [OPENVINO-Gather-A1]: axis has shape [1, 1], must have rank 0, or "
            "rank 1 and one element");
}

TEST(OpenvinoGather, A2BatchDimsBefore7) {
  expect_error(call(gather_op(1, 1), {page_data(), int64s({1}, {0}), int64s({}, {0})}),
               ErrorCode::kInvalidArgument, "OPENVINO-Gather-A2");
}

TEST(OpenvinoGather, A4BatchDims) {
  const Tensor data = floats({2, 2}, {1, 2, 3, 4});
  const Tensor indices = int64s({2, 1}, {0, 0});
  for (const std::int64_t batch_dims : {3, -3, 2})  // two batch axes are more than axis 1 allows
    expect_error(call(gather_op(batch_dims), {data, indices, int64s({}, {1})}),
                 ErrorCode::kInvalidArgument, "OPENVINO-Gather-A4");
}

TEST(OpenvinoGather, ShapeRules) {
  const Tensor axis = int64s({}, {0});
  expect_error(call(gather_op(), {floats({}, {1}), int64s({1}, {0}), axis}), ErrorCode::kShape,
               "OPENVINO-Gather-C1");
  expect_error(call(gather_op(1), {floats({2, 1}, {1, 2}), int64s({1, 1}, {0}), int64s({}, {1})}),
               ErrorCode::kShape, "OPENVINO-Gather-C2");
  const Tensor many = Tensor::zeros(DType::kInt64, Shape::filled(kMaxRank, 1)).value();
  expect_error(call(gather_op(), {floats({1, 1}, {1}), many, axis}), ErrorCode::kShape,
               "OPENVINO-Gather-C3");
}

TEST(OpenvinoGather, C4UnderErrorAlone) {
  const Tensor indices = int64s({3}, {0, 5, -6});
  const Result<Tensor> result =
      call(gather_op(), {page_data(), indices, int64s({}, {0})}, with(OutOfRange::kError));
  expect_error(result, ErrorCode::kIndexOutOfRange, "OPENVINO-Gather-C4");
  EXPECT_EQ(result.error().index_fault()->count, 2);
  expect_result<std::int32_t>(
      call(gather_op(), {page_data(), indices, int64s({}, {0})}, strictly()), {3}, {1, 0, 0});
}

TEST(OpenvinoGather, AUint64IndexAboveInt64IsTheLargest) {
  const Tensor indices = from_bits<std::uint64_t>(DType::kUint64, {2}, {~0ULL, 4});
  const Result<Tensor> result =
      call(gather_op(), {page_data(), indices, int64s({}, {0})}, with(OutOfRange::kError));
  expect_error(result, ErrorCode::kIndexOutOfRange, "OPENVINO-Gather-C4");
  EXPECT_EQ(result.error().index_fault()->value, INT64_MAX);
  expect_result<std::int32_t>(
      call(gather_op(), {page_data(), indices, int64s({}, {0})}, with(OutOfRange::kClamp)), {2},
      {5, 5});
}

TEST(OpenvinoGather, S1OfTheOldVersions) {
  const Tensor axis = int64s({}, {0});
  for (const int version : {1, 7}) {
    const openvino::Gather op = gather_op(0, version);
    for (const std::int64_t index : {-1, 5})
      expect_error(call(op, {page_data(), int64s({1}, {index}), axis}, strictly()),
                   ErrorCode::kIndexOutOfRange, "OPENVINO-Gather-S1");
    const CallOptions zero = strictly_with(OutOfRange::kZero);
    expect_error(call(op, {page_data(), int64s({1}, {-1}), axis}, zero),
                 ErrorCode::kIndexOutOfRange, "OPENVINO-Gather-S1");
    expect_result<std::int32_t>(call(op, {page_data(), int64s({1}, {5}), axis}, zero), {1}, {0});
    expect_result<std::int32_t>(call(op, {page_data(), int64s({2}, {-1, 5}), axis}), {2}, {5, 0});
  }
}

TEST(OpenvinoGather, MovesBits) {
  const Tensor data = from_bits<std::uint8_t>(DType::kUint1, {10}, {0b10110001, 0b01000000});
  expect_result<std::uint8_t>(
      call(gather_op(), {data, int64s({9}, {9, 8, 0, 1, 2, 3, -1, 10, 7}), int64s({}, {0})}), {9},
      {0b10101110, 0b10000000});
}

TEST(OpenvinoGather, O1SkipOnAGather) {
  expect_error(
      call(gather_op(), {page_data(), int64s({1}, {0}), int64s({}, {0})}, with(OutOfRange::kSkip)),
      ErrorCode::kInvalidArgument, "CALL-O1");
}

}  // namespace
}  // namespace windrow::internal::reference
