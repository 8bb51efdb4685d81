#include <gtest/gtest.h>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

Tensor data() { return floats({2, 3}, {1, 2, 3, 4, 5, 6}); }

TEST(ArrayTakeAlongAxis, BroadcastsBothWays) {
  const array::TakeAlongAxis op;
  expect_result<float>(call(op, {data(), int64s({1, 2}, {2, 0})}), {2, 2}, {3, 1, 6, 4});
  expect_result<float>(call(op, {floats({1, 3}, {1, 2, 3}), int64s({2, 1}, {2, 0})}), {2, 1},
                       {3, 1});
  expect_result<float>(call(op, {floats({1, 2}, {1, 2}), empty(DType::kInt64, {0, 5})}), {0, 5},
                       {});
  expect_result<float>(call(op, {data(), int64s({1, 2}, {-1, -4})}, with(OutOfRange::kClamp)),
                       {2, 2}, {1, 1, 4, 4});
}

TEST(ArrayTakeAlongAxis, Rules) {
  const array::TakeAlongAxis op;
  expect_error(call(op, {data(), int64s({1}, {0})}), ErrorCode::kShape, "ARRAY-TakeAlongAxis-C1");
  expect_error(call(array::TakeAlongAxis{.axis = 2}, {data(), int64s({1, 1}, {0})}),
               ErrorCode::kInvalidArgument, "ARRAY-TakeAlongAxis-A1");
  expect_error(call(op, {data(), int64s({3, 1}, {0, 0, 0})}), ErrorCode::kShape,
               "ARRAY-TakeAlongAxis-C2");
  expect_error(call(op, {data(), int64s({1, 1}, {3})}), ErrorCode::kIndexOutOfRange,
               "ARRAY-TakeAlongAxis-C3");
}

TEST(ArrayPutAlongAxis, ValuesBroadcast) {
  const Tensor indices = int64s({2, 2}, {2, 0, 1, -1});
  const auto put = [&](const Tensor& values) {
    return call(array::PutAlongAxis{}, {data(), indices, values});
  };
  expect_result<float>(put(floats({}, {9})), {2, 3}, {9, 2, 9, 4, 9, 9});
  expect_result<float>(put(floats({2}, {7, 8})), {2, 3}, {8, 2, 7, 4, 7, 8});
  expect_result<float>(put(floats({2, 1}, {7, 8})), {2, 3}, {7, 2, 7, 4, 8, 8});
  expect_result<float>(put(floats({1, 2, 2}, {6, 7, 8, 9})), {2, 3}, {7, 2, 6, 4, 8, 9});
  expect_error(put(floats({3}, {1, 2, 3})), ErrorCode::kShape, "ARRAY-PutAlongAxis-C3");
  expect_error(put(floats({2, 1, 1}, {1, 2})), ErrorCode::kShape, "ARRAY-PutAlongAxis-C3");
}

TEST(ArrayPutAlongAxis, TheLastInRowMajorOrderWins) {
  const Tensor row = floats({1, 2}, {0, 0});
  const Tensor indices = int64s({2, 2}, {0, 0, 0, 1});
  const Tensor values = floats({2, 2}, {1, 2, 3, 4});
  expect_result<float>(call(array::PutAlongAxis{}, {row, indices, values}), {1, 2}, {3, 4});
  const Result<Tensor> refused = call(array::PutAlongAxis{}, {row, indices, values}, strictly());
  expect_error(refused, ErrorCode::kDuplicate, "ARRAY-PutAlongAxis-D1");
  EXPECT_EQ(refused.error().message(),
            "array.PutAlongAxis-1 [ARRAY-PutAlongAxis-D1]: values[0, 1] writes the cell at [0, 0], "
            "which values[0, 0] has written already");
}

}  // namespace
}  // namespace windrow::internal::reference
