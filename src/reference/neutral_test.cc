#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "src/reference/element.h"
#include "src/reference/number.h"

namespace windrow::internal::reference {
namespace {

template <class T>
void expect_neutral(DType dtype, T one, T largest, T lowest) {
  EXPECT_EQ(number<T>(neutral_element(dtype, Reduction::kAdd)), T{0});
  EXPECT_EQ(number<T>(neutral_element(dtype, Reduction::kMean)), T{0});
  EXPECT_EQ(number<T>(neutral_element(dtype, Reduction::kMul)), one);
  EXPECT_EQ(number<T>(neutral_element(dtype, Reduction::kMin)), largest);
  EXPECT_EQ(number<T>(neutral_element(dtype, Reduction::kMax)), lowest);
}

TEST(NeutralElement, OfEveryKind) {
  expect_neutral<std::uint8_t>(DType::kBool, 1, 1, 0);
  expect_neutral<std::uint8_t>(DType::kInt4, 1, 0x7, 0x8);
  expect_neutral<std::uint8_t>(DType::kUint4, 1, 0xf, 0);
  expect_neutral<std::int8_t>(DType::kInt8, 1, 127, -128);
  expect_neutral<std::uint64_t>(DType::kUint64, 1, ~0ULL, 0);
  expect_neutral<std::uint8_t>(DType::kFloat8E4M3FN, 0x38, 0x7e, 0xfe);
  expect_neutral<std::uint8_t>(DType::kFloat8E5M2, 0x3c, 0x7b, 0xfb);
  expect_neutral<std::uint16_t>(DType::kFloat16, 0x3c00, 0x7bff, 0xfbff);
  expect_neutral<std::uint16_t>(DType::kBFloat16, 0x3f80, 0x7f7f, 0xff7f);
  const double largest = std::numeric_limits<double>::max();
  expect_neutral<double>(DType::kFloat64, 1, largest, -largest);
  const float largest_float = std::numeric_limits<float>::max();
  expect_neutral<float>(DType::kFloat32, 1, largest_float, -largest_float);
}

TEST(NeutralElement, OfComplexNumbers) {
  const Element one = neutral_element(DType::kComplex128, Reduction::kMul);
  EXPECT_EQ(number<double>(one), 1);
  EXPECT_EQ(number<double>(one, sizeof(double)), 0);
  EXPECT_EQ(number<float>(neutral_element(DType::kComplex64, Reduction::kAdd)), 0);
}

TEST(IdentityElement, IsInfiniteWhereTheTypeHasAnInfinity) {
  const auto code = [](DType dtype, Reduction reduction) {
    return number<std::uint16_t>(identity_element(dtype, reduction));
  };
  EXPECT_EQ(code(DType::kFloat16, Reduction::kMin), 0x7c00);
  EXPECT_EQ(code(DType::kBFloat16, Reduction::kMax), 0xff80);
  EXPECT_EQ(code(DType::kFloat8E5M2, Reduction::kMin), 0x7c);
  EXPECT_EQ(code(DType::kFloat8E4M3FN, Reduction::kMin), 0x7e);
  EXPECT_EQ(code(DType::kInt4, Reduction::kMax), 0x8);
  EXPECT_EQ(code(DType::kBool, Reduction::kMin), 1);
  EXPECT_EQ(number<float>(identity_element(DType::kFloat32, Reduction::kMax)),
            -std::numeric_limits<float>::infinity());
  EXPECT_EQ(number<double>(identity_element(DType::kFloat64, Reduction::kMul)), 1);
}

}  // namespace
}  // namespace windrow::internal::reference
