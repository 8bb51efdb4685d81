#include "src/reference/openvino/scatters.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "src/reference/testing.h"

namespace windrow::internal::reference {

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
