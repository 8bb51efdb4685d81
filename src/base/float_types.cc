#include "src/base/float_types.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "windrow/small_float.h"

namespace windrow::internal {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// The value of a number of the given layout, which is not a special value.
float decode(unsigned bits, int exponent_bits, int mantissa_bits, int bias) {
  const int mantissa = static_cast<int>(bits & ((1U << mantissa_bits) - 1));
  const int exponent = static_cast<int>((bits >> mantissa_bits) & ((1U << exponent_bits) - 1));
  const bool negative = ((bits >> (mantissa_bits + exponent_bits)) & 1U) != 0;
  const int significand = exponent == 0 ? mantissa : mantissa + (1 << mantissa_bits);
  const int scale = (exponent == 0 ? 1 : exponent) - bias - mantissa_bits;
  const float magnitude = std::ldexp(static_cast<float>(significand), scale);
  return negative ? -magnitude : magnitude;
}

// The code of a number, rounded to nearest even on the integer grid of its binade; one above
// `largest` is given as `beyond`. `value` is not NaN.
std::uint8_t encode(float value, int mantissa_bits, int bias, int largest, int beyond) {
  const int sign = std::signbit(value) ? 0x80 : 0;
  const float magnitude = std::fabs(value);
  if (magnitude >= 0x1p16F) return static_cast<std::uint8_t>(sign | beyond);
  if (magnitude == 0) return static_cast<std::uint8_t>(sign);
  int exponent = 0;
  std::frexp(magnitude, &exponent);  // magnitude = f * 2^exponent, f in [0.5, 1)
  const int binade = std::max(exponent - 1, 1 - bias);
  const auto units =
      static_cast<int>(std::nearbyint(std::ldexp(magnitude, mantissa_bits - binade)));
  // A carry out of the mantissa raises the exponent.
  const int code = ((binade + bias - 1) << mantissa_bits) + units;
  return static_cast<std::uint8_t>(sign | (code > largest ? beyond : code));
}

}  // namespace

float float8_e4m3fn_to_float(std::uint8_t bits) noexcept {
  return (bits & 0x7f) == 0x7f ? kNan : decode(bits, 4, 3, 7);
}

float float8_e4m3fnuz_to_float(std::uint8_t bits) noexcept {
  return bits == 0x80 ? kNan : decode(bits, 4, 3, 8);
}

float float8_e5m2_to_float(std::uint8_t bits) noexcept {
  const int magnitude = bits & 0x7f;
  if (magnitude > 0x7c) return kNan;
  if (magnitude == 0x7c) return bits == 0x7c ? kInfinity : -kInfinity;
  return decode(bits, 5, 2, 15);
}

float float8_e5m2fnuz_to_float(std::uint8_t bits) noexcept {
  return bits == 0x80 ? kNan : decode(bits, 5, 2, 16);
}

float float8_e8m0fnu_to_float(std::uint8_t bits) noexcept {
  return bits == 0xff ? kNan : std::ldexp(1.0F, bits - 127);
}

std::uint8_t float_to_float8_e4m3fn(float value) noexcept {
  return std::isnan(value) ? kFloat8E4M3FNNan : encode(value, 3, 7, 0x7e, kFloat8E4M3FNNan);
}

std::uint8_t float_to_float8_e5m2(float value) noexcept {
  return std::isnan(value) ? kFloat8E5M2Nan : encode(value, 2, 15, 0x7b, 0x7c);
}

float float4_e2m1fn_to_float(std::uint8_t bits) noexcept { return decode(bits & 0xfU, 2, 1, 1); }

}  // namespace windrow::internal

namespace windrow {
namespace {

bool is_nan(const SmallFloat& format, int sign, int exponent, int mantissa) {
  const int top_exponent = (1 << format.exponent_bits) - 1;
  const int top_mantissa = (1 << format.mantissa_bits) - 1;
  switch (format.specials) {
    case Specials::kIeee:
      return exponent == top_exponent && mantissa != 0;
    case Specials::kFn:
    case Specials::kScale:
      return exponent == top_exponent && mantissa == top_mantissa;
    case Specials::kFnuz:
      return sign == 1 && exponent == 0 && mantissa == 0;
    case Specials::kNone:
      return false;
  }
  return false;
}

}  // namespace

std::optional<SmallFloat> small_float_of(DType type) noexcept {
  switch (type) {
    case DType::kFloat16:
      return SmallFloat{5, 10, 15, Specials::kIeee};
    case DType::kBFloat16:
      return SmallFloat{8, 7, 127, Specials::kIeee};
    case DType::kFloat8E4M3FN:
      return SmallFloat{4, 3, 7, Specials::kFn};
    case DType::kFloat8E4M3FNUZ:
      return SmallFloat{4, 3, 8, Specials::kFnuz};
    case DType::kFloat8E5M2:
      return SmallFloat{5, 2, 15, Specials::kIeee};
    case DType::kFloat8E5M2FNUZ:
      return SmallFloat{5, 2, 16, Specials::kFnuz};
    case DType::kFloat8E8M0:
      return SmallFloat{8, 0, 127, Specials::kScale};
    case DType::kFloat4E2M1:
      return SmallFloat{2, 1, 1, Specials::kNone};
    default:
      return std::nullopt;
  }
}

float decode(const SmallFloat& format, std::uint16_t bits) noexcept {
  const int mantissa = bits & ((1 << format.mantissa_bits) - 1);
  const int exponent = (bits >> format.mantissa_bits) & ((1 << format.exponent_bits) - 1);
  const int sign = (bits >> (format.mantissa_bits + format.exponent_bits)) & 1;
  if (is_nan(format, sign, exponent, mantissa)) return std::numeric_limits<float>::quiet_NaN();
  float magnitude = 0;
  if (format.specials == Specials::kIeee && exponent == (1 << format.exponent_bits) - 1) {
    magnitude = std::numeric_limits<float>::infinity();
  } else {
    const bool subnormal = exponent == 0 && format.specials != Specials::kScale;
    const int digits = subnormal ? mantissa : mantissa | (1 << format.mantissa_bits);
    const int scale = (subnormal ? 1 : exponent) - format.bias - format.mantissa_bits;
    magnitude = std::ldexp(static_cast<float>(digits), scale);
  }
  return sign == 1 ? -magnitude : magnitude;
}

}  // namespace windrow
