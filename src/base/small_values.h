#ifndef WINDROW_BASE_SMALL_VALUES_H_
#define WINDROW_BASE_SMALL_VALUES_H_

#include "windrow/dtype.h"

namespace windrow::internal {

// The value of every code of a floating-point type of at most 8 bits, by code: 256 of an 8-bit
// type, 16 of a 4-bit one. Null for other types.
const float* small_float_values(DType dtype) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_BASE_SMALL_VALUES_H_
