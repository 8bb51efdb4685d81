#include "tests/support/compare.h"

#include <gtest/gtest.h>

#include <cmath>

namespace windrow::tests {
namespace {

TEST(Compare, NamesTheFirstDifferentElement) {
  const Tensor a = Tensor::of<std::int32_t>({2, 2}, {1, 2, 3, 4});
  const Tensor b = Tensor::of<std::int32_t>({2, 2}, {1, 2, 5, 6});
  EXPECT_EQ(first_bit_difference(a, b), "at [1, 0] is 5 (0x5), expected 3 (0x3)");
  EXPECT_EQ(first_bit_difference(a, a), "");
}

TEST(Compare, NanEqualsNanUnlessBitsWereAskedFor) {
  const Tensor expected = Tensor::of<float>({1}, {std::nanf("")});
  const Tensor actual = Tensor::of<float>({1}, {-std::nanf("1")});
  EXPECT_EQ(first_difference(expected, actual, {}), "");
  EXPECT_NE(first_difference(expected, actual, {{true}, 0, 0}), "");
  EXPECT_NE(first_bit_difference(expected, actual), "");
  EXPECT_NE(first_difference(expected, Tensor::of<float>({1}, {1}), {}), "");
}

TEST(Compare, SignedZerosDifferAndToleranceIsTaken) {
  const Tensor zero = Tensor::of<float>({1}, {0.0F});
  EXPECT_NE(first_difference(zero, Tensor::of<float>({1}, {-0.0F}), {}), "");
  const Tensor one = Tensor::of<float>({1}, {1.0F});
  EXPECT_EQ(first_difference(one, Tensor::of<float>({1}, {1.0001F}), {{}, 1e-3, 0}), "");
  EXPECT_NE(first_difference(one, Tensor::of<float>({1}, {1.01F}), {{}, 1e-3, 0}), "");
}

TEST(Compare, ErrorsDifferInCodeAndLabel) {
  const Status shape(ErrorCode::kShape, "a");
  EXPECT_EQ(error_difference(shape, Status(ErrorCode::kShape, "b")), "");
  EXPECT_NE(error_difference(shape, Status(ErrorCode::kType, "a")), "");
  EXPECT_NE(error_difference(shape, Status({ErrorCode::kShape, "a", {}, "ONNX-Gather-C1", {}})),
            "");
}

TEST(Compare, ErrorsAboutValuesDifferInMessage) {
  const Status duplicate(ErrorCode::kDuplicate, "a");
  EXPECT_EQ(error_difference(duplicate, Status(ErrorCode::kDuplicate, "a")), "");
  EXPECT_NE(error_difference(duplicate, Status(ErrorCode::kDuplicate, "b")), "");
}

}  // namespace
}  // namespace windrow::tests
