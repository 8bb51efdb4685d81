#ifndef WINDROW_SRC_C_API_DTYPES_H_
#define WINDROW_SRC_C_API_DTYPES_H_

#include <optional>

#include "windrow/c.h"
#include "windrow/dtype.h"

namespace windrow::internal {

// The type for a C number. Returns nothing if the number is not a type. WINDROW_ABSENT is kAbsent.
std::optional<DType> from_c(windrow_dtype number) noexcept;

windrow_dtype to_c(DType dtype) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_SRC_C_API_DTYPES_H_
