#include "tests/support/ieee.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace windrow::tests {
namespace {

struct Format {
  int exponent_bits;
  int mantissa_bits;
  int bias() const noexcept { return (1 << (exponent_bits - 1)) - 1; }
  std::uint64_t infinity() const noexcept {
    return ((std::uint64_t{1} << exponent_bits) - 1) << mantissa_bits;
  }
  int sign_position() const noexcept { return exponent_bits + mantissa_bits; }
};

Format format_of(DType type) noexcept {
  switch (type) {
    case DType::kFloat16:
      return {5, 10};
    case DType::kBFloat16:
      return {8, 7};
    case DType::kFloat32:
    case DType::kComplex64:
      return {8, 23};
    default:
      return {11, 52};
  }
}

}  // namespace

bool has_ieee_component(DType type) noexcept {
  return type == DType::kFloat16 || type == DType::kBFloat16 || type == DType::kFloat32 ||
         type == DType::kFloat64 || dtype_kind(type) == DTypeKind::kComplex;
}

int component_bytes(DType type) noexcept {
  return dtype_bits(type) / (dtype_kind(type) == DTypeKind::kComplex ? 16 : 8);
}

std::uint64_t encode_component(DType type, double value) noexcept {
  const Format format = format_of(type);
  if (std::isnan(value))
    return format.infinity() | (std::uint64_t{1} << (format.mantissa_bits - 1));
  const std::uint64_t sign = std::uint64_t{std::signbit(value)} << format.sign_position();
  if (std::isinf(value)) return sign | format.infinity();
  if (value == 0) return sign;
  int exponent = 0;
  std::frexp(value, &exponent);
  exponent = std::max(exponent - 1, 1 - format.bias());
  // The significand with its leading bit; a subnormal has none, and rounding up may carry over:
  // both come out right from the sum below.
  const double significand =
      std::nearbyint(std::ldexp(std::fabs(value), format.mantissa_bits - exponent));
  if (exponent > format.bias()) return sign | format.infinity();
  const auto biased = static_cast<std::uint64_t>(exponent + format.bias() - 1);
  const std::uint64_t bits =
      (biased << format.mantissa_bits) + static_cast<std::uint64_t>(significand);
  return sign | std::min(bits, format.infinity());
}

double decode_component(DType type, std::uint64_t bits) noexcept {
  const Format format = format_of(type);
  const bool negative = ((bits >> format.sign_position()) & 1) != 0;
  const std::uint64_t mantissa = bits & ((std::uint64_t{1} << format.mantissa_bits) - 1);
  const auto exponent = static_cast<int>((bits & format.infinity()) >> format.mantissa_bits);
  double value = 0;
  if ((bits & format.infinity()) == format.infinity()) {
    value = mantissa == 0 ? std::numeric_limits<double>::infinity()
                          : std::numeric_limits<double>::quiet_NaN();
  } else {
    const std::uint64_t leading = exponent == 0 ? 0 : std::uint64_t{1} << format.mantissa_bits;
    value = std::ldexp(static_cast<double>(mantissa + leading),
                       std::max(exponent, 1) - format.bias() - format.mantissa_bits);
  }
  return negative ? -value : value;
}

}  // namespace windrow::tests
