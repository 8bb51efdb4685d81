#ifndef WINDROW_BASE_FLOAT_TYPES_H_
#define WINDROW_BASE_FLOAT_TYPES_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "windrow/export.h"

// The floating-point types that C++20 lacks, as their bits. Conversions to float32 are exact;
// those from float32 round to nearest even. Some are exported for windrow::models. The 16-bit ones
// have no branches, so that loops over them are vectorised.
namespace windrow::internal {

inline constexpr std::uint16_t kFloat16Nan = 0x7e00;
inline constexpr std::uint16_t kBFloat16Nan = 0x7fc0;

inline float bfloat16_to_float(std::uint16_t bits) noexcept {
  return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

// A NaN gives kBFloat16Nan.
inline std::uint16_t float_to_bfloat16(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16) & 1U)) >> 16;
  const bool is_nan = (bits & 0x7fffffffU) > 0x7f800000U;
  return static_cast<std::uint16_t>(is_nan ? kBFloat16Nan : rounded);
}

// `yes` or `no`, computed so that compilers make no branch of it.
inline std::uint32_t select(bool condition, std::uint32_t yes, std::uint32_t no) noexcept {
  const std::uint32_t mask = 0U - static_cast<std::uint32_t>(condition);
  return (yes & mask) | (no & ~mask);
}

inline float float16_to_float(std::uint16_t half) noexcept {
  const std::uint32_t exponent = half & 0x7c00U;
  // The difference of the exponents' biases; infinity and NaN need it twice to reach the top
  // exponent.
  const std::uint32_t rebias = (127U - 15U) << 23;
  const std::uint32_t normal =
      ((half & 0x7fffU) << 13) + rebias + select(exponent == 0x7c00U, rebias, 0);
  // A subnormal is its mantissa in units of 2^-24.
  const auto subnormal = std::bit_cast<std::uint32_t>(
      static_cast<float>(static_cast<std::int32_t>(half & 0x3ffU)) * 0x1p-24F);
  const std::uint32_t sign = (half & 0x8000U) << 16;
  return std::bit_cast<float>(select(exponent == 0, subnormal, normal) | sign);
}

// A NaN gives kFloat16Nan.
inline std::uint16_t float_to_float16(float value) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  const std::uint32_t sign = (bits >> 16) & 0x8000U;
  // Rounds on the integer: a carry out of the mantissa raises the exponent, up to infinity.
  const std::uint32_t normal =
      (magnitude - ((127U - 15U) << 23) + 0xfffU + ((magnitude >> 13) & 1U)) >> 13;
  // Adding 0.5 leaves the last mantissa bit worth 2^-24, a subnormal's unit: the addition rounds.
  const std::uint32_t subnormal =
      std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) -
      std::bit_cast<std::uint32_t>(0.5F);
  const std::uint32_t finite = select(magnitude < (113U << 23), subnormal, normal);
  const std::uint32_t number = select(magnitude >= (143U << 23), 0x7c00U, finite);  // from 2^16
  return static_cast<std::uint16_t>(select(magnitude > 0x7f800000U, kFloat16Nan, number | sign));
}

WINDROW_EXPORT float float8_e4m3fn_to_float(std::uint8_t bits) noexcept;
float float8_e4m3fnuz_to_float(std::uint8_t bits) noexcept;
WINDROW_EXPORT float float8_e5m2_to_float(std::uint8_t bits) noexcept;
float float8_e5m2fnuz_to_float(std::uint8_t bits) noexcept;
WINDROW_EXPORT float float8_e8m0fnu_to_float(std::uint8_t bits) noexcept;
// Only the low four bits are read.
WINDROW_EXPORT float float4_e2m1fn_to_float(std::uint8_t bits) noexcept;

inline constexpr std::uint8_t kFloat8E4M3FNNan = 0x7f;
inline constexpr std::uint8_t kFloat8E5M2Nan = 0x7e;

// A NaN gives kFloat8E4M3FNNan; so do values that round beyond 448, with their sign.
WINDROW_EXPORT std::uint8_t float_to_float8_e4m3fn(float value) noexcept;
// A NaN gives kFloat8E5M2Nan; values that round beyond 57344 give infinity.
WINDROW_EXPORT std::uint8_t float_to_float8_e5m2(float value) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_BASE_FLOAT_TYPES_H_
