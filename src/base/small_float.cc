#include "windrow/small_float.h"

#include <cmath>
#include <limits>

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
