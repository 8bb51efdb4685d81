#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
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
}  // namespace windrow::internal::reference
