#ifndef WINDROW_TESTS_SUPPORT_IEEE_H_
#define WINDROW_TESTS_SUPPORT_IEEE_H_

#include <cstdint>

#include "windrow/dtype.h"

// IEEE-like numbers of 16, 32 and 64 bits as bits, for test data.
namespace windrow::tests {

// Whether a component of the type (a complex type's real or imaginary part) is one of float16,
// bfloat16, float32 and float64; the functions below take no other type.
bool has_ieee_component(DType type) noexcept;

// Bytes of one component: half of a complex element, all of any other.
int component_bytes(DType type) noexcept;

// The number nearest to `value` (ties to even) as bits; NaN becomes the positive quiet NaN.
std::uint64_t encode_component(DType type, double value) noexcept;

double decode_component(DType type, std::uint64_t bits) noexcept;

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_SUPPORT_IEEE_H_
