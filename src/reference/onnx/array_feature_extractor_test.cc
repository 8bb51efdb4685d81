#include <gtest/gtest.h>

#include <cstdint>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

onnx::ArrayFeatureExtractor extract_op() {
  onnx::ArrayFeatureExtractor op;
  op.version = 1;
  return op;
}

Tensor matrix() { return floats({2, 3}, {1, 2, 3, 4, 5, 6}); }

TEST(ReferenceArrayFeatureExtractor, GathersOnTheLastAxis) {
  expect_result<float>(call(extract_op(), {matrix(), int64s({2}, {2, 0})}), {2, 2}, {3, 1, 6, 4});
  expect_result<float>(call(extract_op(), {matrix(), int64s({1, 2}, {2, 0})}), {2, 2},
                       {3, 1, 6, 4});
}

TEST(ReferenceArrayFeatureExtractor, RankOneGivesOneRow) {
  expect_result<float>(call(extract_op(), {floats({3}, {1, 2, 3}), int64s({3}, {2, 2, 1})}), {1, 3},
                       {3, 3, 2});
}

TEST(ReferenceArrayFeatureExtractor, AnyShapeOfIndicesIsFlat) {
  expect_result<float>(call(extract_op(), {matrix(), int64s({2, 2}, {0, 1, 2, 0})}), {2, 4},
                       {1, 2, 3, 1, 4, 5, 6, 4});
  expect_result<float>(call(extract_op(), {matrix(), int64s({}, {1})}), {2, 1}, {2, 5});
}

TEST(ReferenceArrayFeatureExtractor, PoliciesTakeNegativeIndicesAsOutside) {
  const Tensor x = floats({3}, {1, 2, 3});
  const Tensor y = int64s({3}, {-1, 1, 4});
  expect_result<float>(call(extract_op(), {x, y}, with(OutOfRange::kZero)), {1, 3}, {0, 2, 0});
  expect_result<float>(call(extract_op(), {x, y}, with(OutOfRange::kClamp)), {1, 3}, {1, 2, 3});
  expect_result<float>(call(extract_op(), {x, y}, with(OutOfRange::kModulo)), {1, 3}, {3, 2, 2});
}

TEST(ReferenceArrayFeatureExtractor, C1ScalarX) {
  expect_error(call(extract_op(), {floats({}, {1}), int64s({1}, {0})}), ErrorCode::kShape,
               "ONNX-ArrayFeatureExtractor-C1");
}

TEST(ReferenceArrayFeatureExtractor, C2NegativeIndex) {
  const Result<Tensor> result = call(extract_op(), {matrix(), int64s({2}, {0, -1})});
  expect_error(result, ErrorCode::kIndexOutOfRange, "ONNX-ArrayFeatureExtractor-C2");
  EXPECT_EQ(result.error().index_fault()->input, "Y");
  EXPECT_EQ(result.error().index_fault()->axis, 1);
  expect_error(call(extract_op(), {matrix(), int64s({1}, {3})}), ErrorCode::kIndexOutOfRange,
               "ONNX-ArrayFeatureExtractor-C2");
}

}  // namespace
}  // namespace windrow::internal::reference
