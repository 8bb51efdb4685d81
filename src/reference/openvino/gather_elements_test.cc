#include <gtest/gtest.h>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
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
}  // namespace windrow::internal::reference
