#include <gtest/gtest.h>

#include <bit>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

#include "src/reference/element.h"

namespace windrow::internal::reference {
namespace {

template <class T>
Element element(DType dtype, T value) {
  Element e = zero_element(dtype);
  std::memcpy(e.bits.data(), &value, sizeof value);
  return e;
}

template <class T>
T value(const Element& e) {
  T v;
  std::memcpy(&v, e.bits.data(), sizeof v);
  return v;
}

template <class T>
T fold(DType dtype, Reduction reduction, T cell, T update) {
  return value<T>(combine(reduction, element(dtype, cell), element(dtype, update)));
}

std::string fold(Reduction reduction, const std::string& cell, const std::string& update) {
  Element a = zero_element(DType::kString);
  Element u = a;
  a.text = cell;
  u.text = update;
  return combine(reduction, a, u).text;
}

std::uint32_t fold_bits(Reduction reduction, std::uint32_t cell, std::uint32_t update) {
  return fold(DType::kFloat32, reduction, cell, update);
}

constexpr Reduction kNone = Reduction::kNone;
constexpr Reduction kAdd = Reduction::kAdd;
constexpr Reduction kMul = Reduction::kMul;
constexpr Reduction kSub = Reduction::kSub;
constexpr Reduction kMin = Reduction::kMin;
constexpr Reduction kMax = Reduction::kMax;

TEST(Combine, NoneTakesTheUpdatesBits) {
  EXPECT_EQ(fold_bits(kNone, 1, 0x7f800001), 0x7f800001U);
  EXPECT_EQ(fold(kNone, "a", "b"), "b");
}

TEST(Combine, BoolIsLogicAndGivesZeroOrOne) {
  const auto of = [](Reduction r, int a, int u) {
    return int{fold(DType::kBool, r, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(u))};
  };
  for (const Reduction r : {kAdd, kMax}) {
    EXPECT_EQ(of(r, 0, 0), 0);
    EXPECT_EQ(of(r, 2, 0), 1);
    EXPECT_EQ(of(r, 0, 255), 1);
  }
  for (const Reduction r : {kMul, kMin}) {
    EXPECT_EQ(of(r, 2, 4), 1);
    EXPECT_EQ(of(r, 2, 0), 0);
    EXPECT_EQ(of(r, 0, 1), 0);
  }
}

TEST(Combine, IntegersWrap) {
  EXPECT_EQ(fold<std::int8_t>(DType::kInt8, kAdd, 127, 1), -128);
  EXPECT_EQ(fold<std::uint8_t>(DType::kUint8, kAdd, 255, 2), 1);
  EXPECT_EQ(fold<std::uint16_t>(DType::kUint16, kMul, 65535, 65535), 1);
  EXPECT_EQ(fold<std::int16_t>(DType::kInt16, kMul, -32768, -1), -32768);
  EXPECT_EQ(fold<std::int32_t>(DType::kInt32, kMul, 65536, 65537), 65536);
  EXPECT_EQ(fold<std::uint32_t>(DType::kUint32, kAdd, 0xffffffff, 1), 0U);
  const auto lowest = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(fold<std::int64_t>(DType::kInt64, kAdd, lowest, -1),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(fold<std::int64_t>(DType::kInt64, kMul, lowest, -1), lowest);
  EXPECT_EQ(fold<std::uint64_t>(DType::kUint64, kMul, ~0ULL, ~0ULL), 1U);
}

TEST(Combine, IntegerOrderIsThatOfTheType) {
  EXPECT_EQ(fold<std::int8_t>(DType::kInt8, kMax, -1, 1), 1);
  EXPECT_EQ(fold<std::int8_t>(DType::kInt8, kMin, -1, 1), -1);
  EXPECT_EQ(fold<std::uint8_t>(DType::kUint8, kMax, 255, 1), 255);
  EXPECT_EQ(fold<std::uint64_t>(DType::kUint64, kMin, ~0ULL, 1), 1U);
}

TEST(Combine, FloatArithmetic) {
  EXPECT_EQ(fold(DType::kFloat32, kAdd, 1.5F, 2.25F), 3.75F);
  EXPECT_EQ(fold(DType::kFloat64, kMul, 1.5, -2.0), -3.0);
  EXPECT_EQ(fold(DType::kFloat32, kAdd, 16777216.0F, 1.0F), 16777216.0F);
}

TEST(Combine, ANanResultOfArithmeticIsCanonical) {
  const auto infinity = std::bit_cast<std::uint32_t>(std::numeric_limits<float>::infinity());
  EXPECT_EQ(fold_bits(kAdd, infinity, infinity | 0x80000000), 0x7fc00000U);
  EXPECT_EQ(fold_bits(kAdd, 0xffc12345, 0), 0x7fc00000U);
  EXPECT_EQ(fold_bits(kMul, 0, 0x7f800001), 0x7fc00000U);
  EXPECT_EQ(fold<std::uint64_t>(DType::kFloat64, kAdd, 0xfff8000000000001, 0), 0x7ff8000000000000U);
  EXPECT_EQ(fold<std::uint16_t>(DType::kFloat16, kAdd, 0xfe01, 0), 0x7e00);
  EXPECT_EQ(fold<std::uint16_t>(DType::kBFloat16, kMul, 0xffc1, 0x3f80), 0x7fc0);
}

TEST(Combine, NanPropagatesThroughMinAndMaxWithItsBits) {
  const std::uint32_t one = 0x3f800000;
  for (const Reduction r : {kMin, kMax}) {
    EXPECT_EQ(fold_bits(r, 0xffc12345, one), 0xffc12345U);
    EXPECT_EQ(fold_bits(r, one, 0x7f800001), 0x7f800001U);
    EXPECT_EQ(fold_bits(r, 0xffc12345, 0x7f800001), 0xffc12345U);
    EXPECT_EQ(fold<std::uint16_t>(DType::kFloat16, r, 0xfe01, 0x3c00), 0xfe01);
    EXPECT_EQ(fold<std::uint16_t>(DType::kBFloat16, r, 0x3f80, 0xff81), 0xff81);
  }
}

TEST(Combine, EqualValuesTakeTheUpdate) {
  const std::uint32_t minus_zero = 0x80000000;
  for (const Reduction r : {kMin, kMax}) {
    EXPECT_EQ(fold_bits(r, minus_zero, 0), 0U);
    EXPECT_EQ(fold_bits(r, 0, minus_zero), minus_zero);
    EXPECT_EQ(fold<std::uint16_t>(DType::kFloat16, r, 0, 0x8000), 0x8000);
  }
}

TEST(Combine, SixteenBitFloatsRoundToNearestEven) {
  EXPECT_EQ(fold<std::uint16_t>(DType::kFloat16, kAdd, 0x6800, 0x3c00), 0x6800);   // 2048 + 1
  EXPECT_EQ(fold<std::uint16_t>(DType::kFloat16, kAdd, 0x6801, 0x3c00), 0x6802);   // 2050 + 1
  EXPECT_EQ(fold<std::uint16_t>(DType::kFloat16, kMul, 0x7bff, 0x4000), 0x7c00);   // 65504 * 2
  EXPECT_EQ(fold<std::uint16_t>(DType::kBFloat16, kAdd, 0x4380, 0x3f80), 0x4380);  // 256 + 1
  EXPECT_EQ(fold<std::uint16_t>(DType::kBFloat16, kAdd, 0x4381, 0x3f80), 0x4382);  // 258 + 1
  EXPECT_EQ(fold<std::uint16_t>(DType::kFloat16, kMin, 0xbc00, 0x3c00), 0xbc00);
  EXPECT_EQ(fold<std::uint16_t>(DType::kBFloat16, kMax, 0xbf80, 0x3f80), 0x3f80);
}

TEST(Combine, ComplexAddAndMul) {
  using Complex = std::complex<double>;
  EXPECT_EQ(fold(DType::kComplex128, kAdd, Complex(1, 2), Complex(3, 5)), Complex(4, 7));
  EXPECT_EQ(fold(DType::kComplex128, kMul, Complex(1, 2), Complex(3, 5)), Complex(-7, 11));
  using Small = std::complex<float>;
  EXPECT_EQ(fold(DType::kComplex64, kMul, Small(0, 1), Small(0, 1)), Small(-1, 0));
}

TEST(Combine, ComplexNanIsCanonicalPerComponent) {
  const std::uint64_t real_nan = 0xffc12345;  // imaginary part 0 in the high half
  EXPECT_EQ(fold<std::uint64_t>(DType::kComplex64, kAdd, real_nan, 0), 0x000000007fc00000U);
}

TEST(Combine, Sub) {
  EXPECT_EQ(fold<std::int8_t>(DType::kInt8, kSub, -128, 1), 127);
  EXPECT_EQ(fold<std::uint64_t>(DType::kUint64, kSub, 0, 1), ~0ULL);
  EXPECT_EQ(fold(DType::kFloat32, kSub, 1.5F, 2.25F), -0.75F);
  EXPECT_EQ(fold<std::uint16_t>(DType::kFloat16, kSub, 0x6801, 0xbc00), 0x6802);  // 2050 + 1
  EXPECT_EQ(fold<std::uint8_t>(DType::kBool, kSub, 2, 1), 0);
  EXPECT_EQ(fold<std::uint8_t>(DType::kBool, kSub, 2, 0), 1);
}

TEST(Combine, FourBitIntegersWrapInTheLowHalf) {
  const auto of = [](DType dtype, Reduction r, int a, int u) {
    return int{fold(dtype, r, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(u))};
  };
  EXPECT_EQ(of(DType::kInt4, kAdd, 0x7, 0x1), 0x8);
  EXPECT_EQ(of(DType::kInt4, kMul, 0x8, 0xf), 0x8);
  EXPECT_EQ(of(DType::kInt4, kMin, 0x7, 0x8), 0x8);
  EXPECT_EQ(of(DType::kUint4, kMin, 0x7, 0x8), 0x7);
  EXPECT_EQ(of(DType::kUint4, kSub, 0x0, 0x1), 0xf);
  EXPECT_EQ(of(DType::kUint4, kMul, 0xf, 0xf), 0x1);
}

TEST(Combine, EightBitFloats) {
  const auto of = [](DType dtype, Reduction r, int a, int u) {
    return int{fold(dtype, r, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(u))};
  };
  EXPECT_EQ(of(DType::kFloat8E4M3FN, kAdd, 0x38, 0x38), 0x40);  // 1 + 1
  EXPECT_EQ(of(DType::kFloat8E4M3FN, kAdd, 0x58, 0x38), 0x58);  // 16 + 1, a tie
  EXPECT_EQ(of(DType::kFloat8E4M3FN, kMul, 0x7e, 0x40), 0x7f);  // 448 * 2
  EXPECT_EQ(of(DType::kFloat8E4M3FN, kMul, 0xfe, 0x40), 0xff);  // -448 * 2
  EXPECT_EQ(of(DType::kFloat8E4M3FN, kAdd, 0xff, 0x38), 0x7f);
  EXPECT_EQ(of(DType::kFloat8E4M3FN, kMax, 0xff, 0x38), 0xff);
  EXPECT_EQ(of(DType::kFloat8E5M2, kMul, 0x7b, 0x40), 0x7c);  // 57344 * 2
  EXPECT_EQ(of(DType::kFloat8E5M2, kSub, 0x7c, 0x7c), 0x7e);
  EXPECT_EQ(of(DType::kFloat8E5M2, kMin, 0x00, 0x80), 0x80);
}

TEST(Divide, RoundsFloatsAndFloorsIntegers) {
  const auto mean = [](DType dtype, auto sum, std::int64_t count) {
    return value<decltype(sum)>(divide(element(dtype, sum), count));
  };
  EXPECT_EQ(mean(DType::kInt32, std::int32_t{-3}, 2), -2);
  EXPECT_EQ(mean(DType::kInt32, std::int32_t{-4}, 2), -2);
  EXPECT_EQ(mean(DType::kUint64, ~std::uint64_t{0}, 2), ~std::uint64_t{0} >> 1);
  EXPECT_EQ(mean(DType::kInt4, std::uint8_t{0xd}, 2), 0xe);  // -3 / 2
  EXPECT_EQ(mean(DType::kFloat32, 1.0F, 3), 1.0F / 3);
  EXPECT_EQ(mean(DType::kFloat64, 1.0, 3), 1.0 / 3);
  EXPECT_EQ(mean(DType::kFloat16, std::uint16_t{0x3c00}, 3), 0x3555);
  EXPECT_EQ(mean(DType::kFloat8E5M2, std::uint8_t{0x3c}, 3), 0x35);
  EXPECT_EQ(mean(DType::kFloat32, std::uint32_t{0xffc12345}, 2), 0x7fc00000U);
}

TEST(Combine, Strings) {
  EXPECT_EQ(fold(kAdd, "ab", "c"), "abc");
  EXPECT_EQ(fold(kMax, "ab", "b"), "b");
  EXPECT_EQ(fold(kMin, "ab", "a"), "a");
  EXPECT_EQ(fold(kMax, "\xc3", "z"), "\xc3");
}

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
