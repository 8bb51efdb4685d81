#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "src/reference/openvino/operators.h"
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

namespace {

openvino::GatherElements gather_elements_op(std::int64_t axis = 0) {
  openvino::GatherElements op;
  op.axis = axis;
  return op;
}

Tensor square() { return floats({2, 2}, {1, 2, 3, 4}); }

TEST(OpenvinoGatherElements, CountsFromTheEnd) {
  expect_result<float>(
      call(gather_elements_op(1), {square(), int64s({2, 3}, {0, 1, -1, -2, 0, 1})}), {2, 3},
      {1, 2, 2, 3, 3, 4});
}

TEST(OpenvinoGatherElements, ShapeAndAxisRules) {
  const Tensor indices = int64s({2, 1}, {0, 0});
  expect_error(call(gather_elements_op(), {floats({}, {1}), int64s({}, {0})}), ErrorCode::kShape,
               "OPENVINO-GatherElements-C1");
  expect_error(call(gather_elements_op(2), {square(), indices}), ErrorCode::kInvalidArgument,
               "OPENVINO-GatherElements-A1");
  const Result<Tensor> narrow = call(gather_elements_op(), {square(), indices});
  expect_error(narrow, ErrorCode::kShape, "OPENVINO-GatherElements-C2");
  EXPECT_EQ(narrow.error().message(),
            "openvino.GatherElements-6 [OPENVINO-GatherElements-C2]: indices have shape [2, 1], "
            "must differ from data of shape [2, 2] in axis 0 alone");
}

TEST(OpenvinoGatherElements, C3IsTheDefault) {
  expect_error(call(gather_elements_op(1), {square(), int64s({2, 1}, {0, 2})}),
               ErrorCode::kIndexOutOfRange, "OPENVINO-GatherElements-C3");
  expect_result<float>(
      call(gather_elements_op(1), {square(), int64s({2, 1}, {-3, 2})}, with(OutOfRange::kZero)),
      {2, 1}, {0, 0});
}

}  // namespace

namespace {

openvino::GatherND gather_nd_op(std::int64_t batch_dims = 0, int version = 8) {
  openvino::GatherND op;
  op.batch_dims = batch_dims;
  op.version = version;
  return op;
}

Tensor cube() { return floats({2, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8}); }

TEST(OpenvinoGatherND, Version5JoinsBatchAxes) {
  const Tensor indices = int64s({2, 2, 1}, {1, 0, -1, -2});
  expect_result<float>(call(gather_nd_op(2, 5), {cube(), indices}), {4}, {2, 3, 6, 7});
  expect_result<float>(call(gather_nd_op(2, 8), {cube(), indices}), {2, 2}, {2, 3, 6, 7});
  expect_result<float>(call(gather_nd_op(1, 5), {cube(), int64s({2, 1}, {1, 0})}), {2, 2},
                       {3, 4, 5, 6});
}

TEST(OpenvinoGatherND, Version8RepeatsBatches) {
  expect_result<float>(call(gather_nd_op(1), {cube(), int64s({1, 1}, {1})}), {2, 2}, {3, 4, 7, 8});
  expect_result<float>(call(gather_nd_op(1), {floats({1, 2}, {1, 2}), int64s({3, 1}, {1, 0, -1})}),
                       {3}, {2, 1, 2});
  expect_result<float>(
      call(gather_nd_op(2), {floats({2, 1, 2}, {1, 2, 3, 4}), int64s({1, 3, 1}, {0, 1, 0})}),
      {2, 3}, {1, 2, 1, 3, 4, 3});
  expect_result<float>(
      call(gather_nd_op(1), {floats({1, 2}, {1, 2}), empty(DType::kInt64, {0, 1})}), {0}, {});
  expect_error(call(gather_nd_op(1, 5), {cube(), int64s({1, 1}, {1})}), ErrorCode::kShape,
               "OPENVINO-GatherND-C2");
  expect_error(call(gather_nd_op(1), {cube(), int64s({3, 1}, {1, 1, 1})}), ErrorCode::kShape,
               "OPENVINO-GatherND-C2");
}

TEST(OpenvinoGatherND, EmptyTuplesTakeTheWholeSlice) {
  const Tensor data = floats({2}, {1, 2});
  expect_result<float>(call(gather_nd_op(), {data, empty(DType::kInt64, {2, 0})}), {2, 2},
                       {1, 2, 1, 2});
}

TEST(OpenvinoGatherND, Rules) {
  expect_error(call(gather_nd_op(), {cube(), int64s({}, {0})}), ErrorCode::kShape,
               "OPENVINO-GatherND-C1");
  for (const std::int64_t batch_dims : {-1, 2})
    expect_error(call(gather_nd_op(batch_dims), {cube(), int64s({2, 1}, {0, 0})}),
                 ErrorCode::kInvalidArgument, "OPENVINO-GatherND-A4");
  expect_error(call(gather_nd_op(1), {cube(), int64s({2, 3}, {0, 0, 0, 0, 0, 0})}),
               ErrorCode::kShape, "OPENVINO-GatherND-C3");
  const Tensor many = Tensor::zeros(DType::kFloat32, Shape::filled(kMaxRank, 1)).value();
  expect_error(call(gather_nd_op(), {many, int64s({1, 1, 1}, {0})}), ErrorCode::kShape,
               "OPENVINO-GatherND-C4");
  expect_error(call(gather_nd_op(), {cube(), int64s({1, 2}, {0, 2})}), ErrorCode::kIndexOutOfRange,
               "OPENVINO-GatherND-C5");
}

TEST(OpenvinoGatherND, S1IsOfVersion5) {
  const Tensor indices = int64s({1, 1}, {-1});
  expect_error(call(gather_nd_op(0, 5), {cube(), indices}, strictly()), ErrorCode::kIndexOutOfRange,
               "OPENVINO-GatherND-S1");
  EXPECT_TRUE(call(gather_nd_op(0, 5), {cube(), indices}).ok());
  EXPECT_TRUE(call(gather_nd_op(0, 8), {cube(), indices}, strictly()).ok());
}

TEST(OpenvinoGatherND, JoinedBatchesThatDoNotFit) {
  const Shape large = {std::int64_t{1} << 40, std::int64_t{1} << 40, 0};
  const float value = 0;
  const TensorView data(DType::kFloat32, large, Strides{0, 0, 0}, &value);
  const TensorView indices(DType::kInt64, large, Strides{0, 0, 0}, &value);
  expect_error(call(gather_nd_op(2, 5), {data, indices}), ErrorCode::kShape, "CALL-I2");
  EXPECT_TRUE(call(gather_nd_op(2, 8), {data, indices}).ok());
}

}  // namespace

namespace {

TEST(OpenvinoHasReduction, NotForStringsBitsAndNf4NorMeansOfBools) {
  for (const DType dtype : {DType::kString, DType::kUint1, DType::kNF4}) {
    EXPECT_TRUE(openvino_has_reduction(dtype, Reduction::kNone));
    EXPECT_FALSE(openvino_has_reduction(dtype, Reduction::kAdd));
    EXPECT_FALSE(openvino_has_reduction(dtype, Reduction::kMax));
  }
  EXPECT_TRUE(openvino_has_reduction(DType::kBool, Reduction::kSub));
  EXPECT_FALSE(openvino_has_reduction(DType::kBool, Reduction::kMean));
  EXPECT_TRUE(openvino_has_reduction(DType::kInt4, Reduction::kMean));
  EXPECT_TRUE(openvino_has_reduction(DType::kFloat8E5M2, Reduction::kMul));
}

}  // namespace

namespace {

openvino::ScatterElementsUpdate scatter_op(std::string reduction = "none", bool use_init_val = true,
                                           int version = 12) {
  openvino::ScatterElementsUpdate op;
  op.reduction = std::move(reduction);
  op.use_init_val = use_init_val;
  op.version = version;
  return op;
}

// Folds 1, 2 and 6 into the middle of [10, 20, 30].
Result<Tensor> fold(const openvino::ScatterElementsUpdate& op) {
  return call(op, {floats({3}, {10, 20, 30}), int64s({3}, {1, -2, 1}), floats({3}, {1, 2, 6}),
                   int64s({}, {0})});
}

Result<Tensor> mean_of_bytes(DType dtype, std::int8_t cell, std::int8_t update, bool use_init_val) {
  return call(scatter_op("mean", use_init_val),
              {from_bits<std::int8_t>(dtype, {1}, {cell}), int64s({1}, {0}),
               from_bits<std::int8_t>(dtype, {1}, {update}), int64s({}, {0})});
}

TEST(OpenvinoScatterElementsUpdate, EveryReductionWithAndWithoutTheCell) {
  const auto expect = [](const std::string& reduction, float with_cell, float without) {
    expect_result<float>(fold(scatter_op(reduction)), {3}, {10, with_cell, 30});
    expect_result<float>(fold(scatter_op(reduction, false)), {3}, {10, without, 30});
  };
  expect("none", 6, 6);
  expect("sum", 29, 9);
  expect("prod", 240, 12);
  expect("min", 1, 1);
  expect("max", 20, 6);
  expect("mean", 7.25F, 3);
}

TEST(OpenvinoScatterElementsUpdate, MeanOfIntegersGoesDown) {
  expect_result<std::int8_t>(mean_of_bytes(DType::kInt8, -2, -1, true), {1}, {-2});
  expect_result<std::int8_t>(mean_of_bytes(DType::kInt8, 100, 100, true), {1}, {-28});
  expect_result<std::int8_t>(mean_of_bytes(DType::kInt8, 100, -3, false), {1}, {-3});
  expect_result<std::int8_t>(mean_of_bytes(DType::kInt4, 0x0e, 0x0f, true), {1}, {0x0e});
  expect_result<std::int8_t>(mean_of_bytes(DType::kUint4, 0x0e, 0x09, true), {1}, {0x03});
}

TEST(OpenvinoScatterElementsUpdate, AMaximumOfInfinitiesIsTheLowestNumber) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Result<Tensor> result =
      call(scatter_op("max", false),
           {floats({1}, {1}), int64s({1}, {0}), floats({1}, {-infinity}), int64s({}, {0})});
  expect_result<float>(result, {1}, {std::numeric_limits<float>::lowest()});
}

TEST(OpenvinoScatterElementsUpdate, A2AttributesBefore12) {
  expect_error(fold(scatter_op("sum", true, 3)), ErrorCode::kInvalidArgument,
               "OPENVINO-ScatterElementsUpdate-A2");
  expect_error(fold(scatter_op("none", false, 3)), ErrorCode::kInvalidArgument,
               "OPENVINO-ScatterElementsUpdate-A2");
}

TEST(OpenvinoScatterElementsUpdate, A3Reductions) {
  const Result<Tensor> sub = fold(scatter_op("sub"));
  expect_error(sub, ErrorCode::kInvalidArgument, "OPENVINO-ScatterElementsUpdate-A3");
  EXPECT_EQ(sub.error().message(),
            "openvino.ScatterElementsUpdate-12 [OPENVINO-ScatterElementsUpdate-A3]: reduction is "
            "'sub', must be one of: none, sum, prod, min, max, mean");
  expect_error(mean_of_bytes(DType::kBool, 1, 1, true), ErrorCode::kType,
               "OPENVINO-ScatterElementsUpdate-A3");
}

TEST(OpenvinoScatterElementsUpdate, ShapeAndIndexRules) {
  const auto scatter = [](const Tensor& indices, const Tensor& updates, std::int64_t axis,
                          const CallOptions& options = {}, int version = 3) {
    return call(scatter_op("none", true, version),
                {floats({1, 2}, {1, 2}), indices, updates, int64s({}, {axis})}, options);
  };
  const Tensor one = floats({1, 1}, {5});
  expect_error(scatter(int64s({1}, {0}), floats({1}, {5}), 0), ErrorCode::kShape,
               "OPENVINO-ScatterElementsUpdate-C1");
  expect_error(scatter(int64s({1, 1}, {0}), one, -3), ErrorCode::kInvalidArgument,
               "OPENVINO-ScatterElementsUpdate-A1");
  expect_error(scatter(int64s({2, 1}, {0, 0}), one, 0), ErrorCode::kShape,
               "OPENVINO-ScatterElementsUpdate-C2");
  expect_error(scatter(int64s({2, 1}, {0, 0}), floats({2, 1}, {5, 6}), 1), ErrorCode::kShape,
               "OPENVINO-ScatterElementsUpdate-C3");
  expect_error(scatter(int64s({1, 1}, {-3}), one, 1), ErrorCode::kIndexOutOfRange,
               "OPENVINO-ScatterElementsUpdate-C4");
  expect_error(scatter(int64s({1, 1}, {-1}), one, 1, strictly()), ErrorCode::kIndexOutOfRange,
               "OPENVINO-ScatterElementsUpdate-S1");
  EXPECT_TRUE(scatter(int64s({1, 1}, {-1}), one, 1, strictly(), 12).ok());
  expect_error(scatter(int64s({1, 2}, {0, -2}), floats({1, 2}, {5, 6}), 1, no_duplicates()),
               ErrorCode::kDuplicate, "OPENVINO-ScatterElementsUpdate-D1");
}

}  // namespace

namespace {

openvino::ScatterNDUpdate scatter_op(std::string reduction = "none", int version = 15) {
  openvino::ScatterNDUpdate op;
  op.reduction = std::move(reduction);
  op.version = version;
  return op;
}

Tensor data() { return floats({3}, {10, 20, 30}); }

TEST(OpenvinoScatterNDUpdate, EveryReduction) {
  const Tensor indices = int64s({2, 1}, {1, -2});
  const Tensor updates = floats({2}, {4, 2});
  const auto expect = [&](const std::string& reduction, float middle) {
    expect_result<float>(call(scatter_op(reduction), {data(), indices, updates}), {3},
                         {10, middle, 30});
  };
  expect("none", 2);
  expect("sum", 26);
  expect("sub", 14);
  expect("prod", 160);
  expect("min", 2);
  expect("max", 20);
}

TEST(OpenvinoScatterNDUpdate, OneElementOfAnyRankIntoOneCell) {
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{1, 1, 1}}) {
    const Tensor updates = Tensor::from<float>(shape, std::vector<float>{7});
    expect_result<float>(call(scatter_op(), {data(), int64s({1}, {-1}), updates}, no_duplicates()),
                         {3}, {10, 20, 7});
  }
  expect_error(call(scatter_op(), {data(), int64s({1}, {0}), floats({2}, {1, 2})}),
               ErrorCode::kShape, "OPENVINO-ScatterNDUpdate-C3");
  expect_error(call(scatter_op(), {data(), int64s({1, 1}, {0}), floats({}, {1})}),
               ErrorCode::kShape, "OPENVINO-ScatterNDUpdate-C3");
}

TEST(OpenvinoScatterNDUpdate, EmptyTuplesAddressTheWholeTensor) {
  expect_result<float>(call(scatter_op("sum"), {data(), empty(DType::kInt64, {2, 0}),
                                                floats({2, 3}, {1, 2, 3, 4, 5, 6})}),
                       {3}, {15, 27, 39});
}

TEST(OpenvinoScatterNDUpdate, Rules) {
  const Tensor index = int64s({1, 1}, {-1});
  const Tensor one = floats({1}, {5});
  expect_error(call(scatter_op("sum", 3), {data(), index, one}), ErrorCode::kInvalidArgument,
               "OPENVINO-ScatterNDUpdate-A2");
  expect_error(call(scatter_op("mean"), {data(), index, one}), ErrorCode::kInvalidArgument,
               "OPENVINO-ScatterNDUpdate-A3");
  const Tensor text = Tensor::of<std::string>({1}, {"a"});
  expect_error(call(scatter_op("sum"), {text, index, text}), ErrorCode::kType,
               "OPENVINO-ScatterNDUpdate-A3");
  expect_error(call(scatter_op(), {data(), int64s({}, {0}), one}), ErrorCode::kShape,
               "OPENVINO-ScatterNDUpdate-C1");
  expect_error(call(scatter_op(), {data(), int64s({1, 2}, {0, 0}), one}), ErrorCode::kShape,
               "OPENVINO-ScatterNDUpdate-C2");
  expect_error(call(scatter_op(), {data(), int64s({1, 1}, {3}), one}), ErrorCode::kIndexOutOfRange,
               "OPENVINO-ScatterNDUpdate-C4");
  expect_error(call(scatter_op("none", 3), {data(), index, one}, strictly()),
               ErrorCode::kIndexOutOfRange, "OPENVINO-ScatterNDUpdate-S1");
  EXPECT_TRUE(call(scatter_op(), {data(), index, one}, strictly()).ok());
  expect_error(
      call(scatter_op(), {data(), int64s({2, 1}, {2, -1}), floats({2}, {5, 6})}, strictly()),
      ErrorCode::kDuplicate, "OPENVINO-ScatterNDUpdate-D1");
}

}  // namespace

namespace {

Tensor data() { return floats({2, 3}, {1, 2, 3, 4, 5, 6}); }

Result<Tensor> update(const Tensor& indices, const Tensor& updates, std::int64_t axis,
                      const CallOptions& options = {}) {
  return call(openvino::ScatterUpdate(), {data(), indices, updates, int64s({1}, {axis})}, options);
}

TEST(OpenvinoScatterUpdate, ReplacesSlices) {
  expect_result<float>(update(int64s({2}, {2, 0}), floats({2, 2}, {10, 20, 30, 40}), 1), {2, 3},
                       {20, 2, 10, 40, 5, 30});
  expect_result<float>(update(int64s({}, {1}), floats({3}, {10, 20, 30}), -2), {2, 3},
                       {1, 2, 3, 10, 20, 30});
  expect_result<float>(update(int64s({1, 2}, {0, 0}), floats({2, 1, 2}, {10, 20, 30, 40}), 1),
                       {2, 3}, {20, 2, 3, 40, 5, 6});
}

TEST(OpenvinoScatterUpdate, Rules) {
  const Tensor index = int64s({1}, {0});
  expect_error(call(openvino::ScatterUpdate(), {floats({}, {1}), index, floats({}, {1}), index}),
               ErrorCode::kShape, "OPENVINO-ScatterUpdate-C1");
  expect_error(update(index, floats({1, 3}, {1, 2, 3}), 2), ErrorCode::kInvalidArgument,
               "OPENVINO-ScatterUpdate-A1");
  expect_error(update(index, floats({3}, {1, 2, 3}), 0), ErrorCode::kShape,
               "OPENVINO-ScatterUpdate-C2");
  expect_error(update(int64s({1}, {-1}), floats({1, 3}, {1, 2, 3}), 0), ErrorCode::kIndexOutOfRange,
               "OPENVINO-ScatterUpdate-C3");
  expect_error(update(int64s({2}, {0, 0}), floats({2, 3}, {1, 2, 3, 4, 5, 6}), 0, strictly()),
               ErrorCode::kDuplicate, "OPENVINO-ScatterUpdate-D1");
  EXPECT_EQ(update(index, floats({3}, {1, 2, 3}), 0).error().message(),
            "openvino.ScatterUpdate-3 [OPENVINO-ScatterUpdate-C2]: updates have shape [3], must "
            "have that of data, [2, 3], with axis 0 replaced by the shape of indices, [1]");
}

TEST(OpenvinoScatterUpdate, ANegativeIndexIsOutside) {
  const auto first = [](OutOfRange policy) {
    return update(int64s({1}, {-1}), floats({2, 1}, {7, 8}), 1, with(policy));
  };
  expect_result<float>(first(OutOfRange::kSkip), {2, 3}, {1, 2, 3, 4, 5, 6});
  expect_result<float>(first(OutOfRange::kClamp), {2, 3}, {7, 2, 3, 8, 5, 6});
  expect_result<float>(first(OutOfRange::kModulo), {2, 3}, {1, 2, 7, 4, 5, 8});
}

}  // namespace

}  // namespace windrow::internal::reference
