#include "src/base/float_types.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace windrow::internal {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// An independent definition: the nearest of the two neighbours among all finite values, ties to the
// even bits. `decode` gives the value of every magnitude up to `infinity_bits`, infinity standing
// for the next power of two.
template <class Decode>
std::uint16_t nearest_even(float value, std::uint16_t infinity_bits, double beyond_largest,
                           Decode decode) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::abs(static_cast<double>(value));
  std::uint16_t low = 0;
  std::uint16_t high = infinity_bits;
  const auto at = [&](std::uint16_t bits) {
    return bits == infinity_bits ? beyond_largest : static_cast<double>(decode(bits));
  };
  if (magnitude >= beyond_largest) return static_cast<std::uint16_t>(sign | infinity_bits);
  while (high - low > 1) {
    const auto middle = static_cast<std::uint16_t>((low + high) / 2);
    (at(middle) <= magnitude ? low : high) = middle;
  }
  const double down = magnitude - at(low);
  const double up = at(high) - magnitude;
  const bool take_low = down < up || (down == up && low % 2 == 0);
  return static_cast<std::uint16_t>(sign | (take_low ? low : high));
}

std::uint16_t nearest_half(float value) {
  return nearest_even(value, 0x7c00, 65536.0, float16_to_float);
}

std::uint16_t nearest_bfloat16(float value) {
  return nearest_even(value, 0x7f80, 0x1p128, bfloat16_to_float);
}

// Floats of every exponent, and the neighbours of every tie between two 16-bit values.
std::vector<float> hard_floats() {
  std::vector<float> floats = {0.0F, -0.0F, 65504.0F, 65519.996F, 65520.0F, kInfinity, -kInfinity};
  for (std::uint32_t top = 0; top < 0x7f80; ++top) {
    for (const std::uint32_t low : {0x0000U, 0x0001U, 0x7fffU, 0x8000U, 0x8001U, 0xffffU}) {
      floats.push_back(std::bit_cast<float>((top << 16) | low));
    }
  }
  for (std::uint32_t half = 0; half < 0x7c00; ++half) {
    const float a = float16_to_float(static_cast<std::uint16_t>(half));
    const float b =
        half == 0x7bff ? 65536.0F : float16_to_float(static_cast<std::uint16_t>(half + 1));
    const float tie = (a + b) / 2;
    floats.insert(floats.end(),
                  {tie, -tie, std::nextafter(tie, 0.0F), std::nextafter(tie, kInfinity)});
  }
  std::mt19937 random(1);
  for (int i = 0; i < 200000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isnan(value)) floats.push_back(value);
  }
  return floats;
}

TEST(Float16, EveryValueSurvivesTheRoundTrip) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = float16_to_float(half);
    const bool is_nan = (half & 0x7fff) > 0x7c00;
    ASSERT_EQ(std::isnan(value), is_nan) << bits;
    ASSERT_EQ(float_to_float16(value), is_nan ? kFloat16Nan : half) << bits;
  }
}

TEST(Float16, KnownValues) {
  EXPECT_EQ(float16_to_float(0x3c00), 1.0F);
  EXPECT_EQ(float16_to_float(0xc000), -2.0F);
  EXPECT_EQ(float16_to_float(0x7bff), 65504.0F);
  EXPECT_EQ(float16_to_float(0x0001), 0x1p-24F);
  EXPECT_EQ(float16_to_float(0x03ff), 0x1.ff8p-15F);
  EXPECT_EQ(float16_to_float(0x7c00), kInfinity);
  EXPECT_EQ(float16_to_float(0xfc00), -kInfinity);
  EXPECT_TRUE(std::signbit(float16_to_float(0x8000)));
}

#ifdef __FLT16_MAX__
#ifdef __aarch64__
using CompilersHalf = __fp16;  // where g++ 12 has no _Float16
#else
using CompilersHalf = _Float16;
#endif

TEST(Float16, EveryValueIsTheCompilersOwn) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    if ((half & 0x7fff) > 0x7c00) continue;
    ASSERT_EQ(float16_to_float(half), static_cast<float>(std::bit_cast<CompilersHalf>(half)))
        << bits;
  }
}

TEST(Float16, RoundsAsTheCompilerDoes) {
  for (const float value : hard_floats()) {
    ASSERT_EQ(float_to_float16(value),
              std::bit_cast<std::uint16_t>(static_cast<CompilersHalf>(value)))
        << value;
  }
}
#endif

TEST(Float16, RoundsToNearestEven) {
  for (const float value : hard_floats())
    ASSERT_EQ(float_to_float16(value), nearest_half(value)) << value;
}

TEST(Float16, KnownTies) {
  EXPECT_EQ(float_to_float16(2049.0F), 0x6800);  // between 2048 and 2050
  EXPECT_EQ(float_to_float16(2051.0F), 0x6802);  // between 2050 and 2052
  EXPECT_EQ(float_to_float16(65519.0F), 0x7bff);
  EXPECT_EQ(float_to_float16(65520.0F), 0x7c00);
  EXPECT_EQ(float_to_float16(0x1p-25F), 0x0000);
  EXPECT_EQ(float_to_float16(0x1.8p-24F), 0x0002);
  EXPECT_EQ(float_to_float16(-0x1p-30F), 0x8000);
}

TEST(Float16, EveryNanIsTheCanonicalOne) {
  for (const std::uint32_t bits : {0x7fc00000U, 0xffc00000U, 0x7f800001U, 0xffffffffU})
    EXPECT_EQ(float_to_float16(std::bit_cast<float>(bits)), 0x7e00);
}

TEST(BFloat16, EveryValueSurvivesTheRoundTrip) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const auto value = static_cast<std::uint16_t>(bits);
    const bool is_nan = (value & 0x7fff) > 0x7f80;
    ASSERT_EQ(float_to_bfloat16(bfloat16_to_float(value)), is_nan ? kBFloat16Nan : value) << bits;
  }
}

TEST(BFloat16, RoundsToNearestEven) {
  for (const float value : hard_floats())
    ASSERT_EQ(float_to_bfloat16(value), nearest_bfloat16(value)) << value;
}

TEST(BFloat16, KnownTies) {
  EXPECT_EQ(float_to_bfloat16(257.0F), 0x4380);  // between 256 and 258
  EXPECT_EQ(float_to_bfloat16(259.0F), 0x4382);  // between 258 and 260
  EXPECT_EQ(float_to_bfloat16(std::numeric_limits<float>::max()), 0x7f80);
}

TEST(BFloat16, EveryNanIsTheCanonicalOne) {
  for (const std::uint32_t bits : {0x7fc00000U, 0xffc00000U, 0x7f800001U, 0xffffffffU})
    EXPECT_EQ(float_to_bfloat16(std::bit_cast<float>(bits)), 0x7fc0);
}

TEST(Float8E4M3FN, Values) {
  EXPECT_EQ(float8_e4m3fn_to_float(0x38), 1.0F);
  EXPECT_EQ(float8_e4m3fn_to_float(0x7e), 448.0F);
  EXPECT_EQ(float8_e4m3fn_to_float(0xfe), -448.0F);
  EXPECT_EQ(float8_e4m3fn_to_float(0x01), 0x1p-9F);
  EXPECT_TRUE(std::isnan(float8_e4m3fn_to_float(0x7f)));
  EXPECT_TRUE(std::isnan(float8_e4m3fn_to_float(0xff)));
  EXPECT_TRUE(std::signbit(float8_e4m3fn_to_float(0x80)));
}

TEST(Float8E4M3FNUZ, Values) {
  EXPECT_EQ(float8_e4m3fnuz_to_float(0x40), 1.0F);
  EXPECT_EQ(float8_e4m3fnuz_to_float(0x7f), 240.0F);
  EXPECT_EQ(float8_e4m3fnuz_to_float(0x01), 0x1p-10F);
  EXPECT_TRUE(std::isnan(float8_e4m3fnuz_to_float(0x80)));
}

TEST(Float8E5M2, Values) {
  EXPECT_EQ(float8_e5m2_to_float(0x3c), 1.0F);
  EXPECT_EQ(float8_e5m2_to_float(0x7b), 57344.0F);
  EXPECT_EQ(float8_e5m2_to_float(0x01), 0x1p-16F);
  EXPECT_EQ(float8_e5m2_to_float(0x7c), kInfinity);
  EXPECT_EQ(float8_e5m2_to_float(0xfc), -kInfinity);
  for (const int bits : {0x7d, 0x7e, 0x7f, 0xfd, 0xff})
    EXPECT_TRUE(std::isnan(float8_e5m2_to_float(static_cast<std::uint8_t>(bits))));
}

TEST(Float8E5M2, IsTheTopOfFloat16) {
  for (int bits = 0; bits < 0x7d; ++bits) {
    EXPECT_EQ(float8_e5m2_to_float(static_cast<std::uint8_t>(bits)),
              float16_to_float(static_cast<std::uint16_t>(bits << 8)));
  }
}

TEST(Float8E5M2FNUZ, Values) {
  EXPECT_EQ(float8_e5m2fnuz_to_float(0x40), 1.0F);
  EXPECT_EQ(float8_e5m2fnuz_to_float(0x7f), 57344.0F);
  EXPECT_EQ(float8_e5m2fnuz_to_float(0x01), 0x1p-17F);
  EXPECT_TRUE(std::isnan(float8_e5m2fnuz_to_float(0x80)));
}

TEST(Float8E8M0FNU, Values) {
  EXPECT_EQ(float8_e8m0fnu_to_float(127), 1.0F);
  EXPECT_EQ(float8_e8m0fnu_to_float(0), 0x1p-127F);
  EXPECT_EQ(float8_e8m0fnu_to_float(254), 0x1p127F);
  EXPECT_TRUE(std::isnan(float8_e8m0fnu_to_float(255)));
}

TEST(Float4E2M1FN, AllValues) {
  const std::array<float, 8> values = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (unsigned bits = 0; bits < 8; ++bits) {
    EXPECT_EQ(float4_e2m1fn_to_float(static_cast<std::uint8_t>(bits)), values[bits]);
    EXPECT_EQ(float4_e2m1fn_to_float(static_cast<std::uint8_t>(bits | 8)), -values[bits]);
  }
}

// All codes and the points halfway between neighbours, which go to the even code.
void expect_rounds_to_even(float (*decode)(std::uint8_t), std::uint8_t (*encode)(float),
                           unsigned largest) {
  for (unsigned bits = 0; bits <= largest; ++bits) {
    const float value = decode(static_cast<std::uint8_t>(bits));
    EXPECT_EQ(encode(value), bits);
    EXPECT_EQ(encode(-value), bits | 0x80);
    if (bits == largest) break;
    const float next = decode(static_cast<std::uint8_t>(bits + 1));
    const float half = (value + next) / 2;
    EXPECT_EQ(encode(half), bits % 2 == 0 ? bits : bits + 1);
    EXPECT_EQ(encode(std::nextafter(half, value)), bits);
    EXPECT_EQ(encode(std::nextafter(half, next)), bits + 1);
  }
}

TEST(Float8E4M3FN, FromFloatRoundsToNearestEven) {
  expect_rounds_to_even(&float8_e4m3fn_to_float, &float_to_float8_e4m3fn, 0x7e);
  EXPECT_EQ(float_to_float8_e4m3fn(464), 0x7e);
  EXPECT_EQ(float_to_float8_e4m3fn(465), 0x7f);
  EXPECT_EQ(float_to_float8_e4m3fn(-1e30F), 0xff);
  EXPECT_EQ(float_to_float8_e4m3fn(std::numeric_limits<float>::infinity()), 0x7f);
  EXPECT_EQ(float_to_float8_e4m3fn(std::numeric_limits<float>::quiet_NaN()), kFloat8E4M3FNNan);
  EXPECT_EQ(float_to_float8_e4m3fn(-std::numeric_limits<float>::quiet_NaN()), kFloat8E4M3FNNan);
}

TEST(Float8E5M2, FromFloatRoundsToNearestEven) {
  expect_rounds_to_even(&float8_e5m2_to_float, &float_to_float8_e5m2, 0x7b);
  EXPECT_EQ(float_to_float8_e5m2(61439), 0x7b);
  EXPECT_EQ(float_to_float8_e5m2(61440), 0x7c);
  EXPECT_EQ(float_to_float8_e5m2(-1e30F), 0xfc);
  EXPECT_EQ(float_to_float8_e5m2(-std::numeric_limits<float>::infinity()), 0xfc);
  EXPECT_EQ(float_to_float8_e5m2(-std::numeric_limits<float>::quiet_NaN()), kFloat8E5M2Nan);
}

}  // namespace
}  // namespace windrow::internal
