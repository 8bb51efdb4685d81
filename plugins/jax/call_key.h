#ifndef WINDROW_PLUGINS_JAX_CALL_KEY_H_
#define WINDROW_PLUGINS_JAX_CALL_KEY_H_

#include <xla/ffi/api/c_api.h>

#include <cstddef>

#include "windrow/call_cache.h"

namespace windrow::jax {

// Everything in a call frame except its memory: attributes, and the types and shapes of operands
// and results. Two frames with equal keys run the same plan.
CallKey key_of(const XLA_FFI_CallFrame& frame) noexcept;

// Bytes of a scalar attribute; 0 for types that no operator's attribute has.
std::size_t scalar_bytes(XLA_FFI_DataType type) noexcept;

}  // namespace windrow::jax

#endif  // WINDROW_PLUGINS_JAX_CALL_KEY_H_
