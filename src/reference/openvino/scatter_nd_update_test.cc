#include <gtest/gtest.h>

#include <string>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
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
}  // namespace windrow::internal::reference
