#ifndef WINDROW_PLUGINS_JAX_ELEMENT_TYPES_H_
#define WINDROW_PLUGINS_JAX_ELEMENT_TYPES_H_

#include <xla/ffi/api/c_api.h>

#include "windrow/dtype.h"

namespace windrow::jax {

// The element type of an XLA buffer; kAbsent for types that the library does not have, or that XLA
// stores in another layout (types of less than a byte).
DType dtype_of(XLA_FFI_DataType type) noexcept;

}  // namespace windrow::jax

#endif  // WINDROW_PLUGINS_JAX_ELEMENT_TYPES_H_
