#include <gtest/gtest.h>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

Tensor data() { return floats({2, 3}, {1, 2, 3, 4, 5, 6}); }

TEST(ArrayTake, TakesSlices) {
  expect_result<float>(call(array::Take{.axis = 1}, {data(), int64s({1, 2}, {2, 0})}), {2, 1, 2},
                       {3, 1, 6, 4});
  expect_result<float>(call(array::Take{}, {data(), int64s({}, {-1})}), {3}, {4, 5, 6});
}

TEST(ArrayTake, PoliciesAreNumPysModes) {
  const auto take = [](OutOfRange policy) {
    return call(array::Take{}, {floats({3}, {1, 2, 3}), int64s({4}, {-1, -4, 2, 4})}, with(policy));
  };
  expect_result<float>(take(OutOfRange::kClamp), {4}, {1, 1, 3, 3});
  expect_result<float>(take(OutOfRange::kModulo), {4}, {3, 3, 3, 2});
  expect_result<float>(take(OutOfRange::kZero), {4}, {3, 0, 3, 0});
  expect_error(take(OutOfRange::kError), ErrorCode::kIndexOutOfRange, "ARRAY-Take-C3");
  expect_error(take(OutOfRange::kSkip), ErrorCode::kInvalidArgument, "CALL-O1");
}

TEST(ArrayTake, Rules) {
  const Tensor index = int64s({1}, {0});
  expect_error(call(array::Take{}, {floats({}, {1}), index}), ErrorCode::kShape, "ARRAY-Take-C1");
  expect_error(call(array::Take{.axis = 2}, {data(), index}), ErrorCode::kInvalidArgument,
               "ARRAY-Take-A1");
  const Tensor wide = floats(Shape::filled(kMaxRank, 1), {1});
  expect_error(call(array::Take{}, {wide, int64s({1, 1}, {0})}), ErrorCode::kShape,
               "ARRAY-Take-C2");
}

}  // namespace
}  // namespace windrow::internal::reference
