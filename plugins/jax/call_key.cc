#include "plugins/jax/call_key.h"

namespace windrow::jax {

std::size_t scalar_bytes(XLA_FFI_DataType type) noexcept {
  switch (type) {
    case XLA_FFI_DataType_PRED:
      return 1;
    case XLA_FFI_DataType_S32:
    case XLA_FFI_DataType_F32:
      return 4;
    case XLA_FFI_DataType_S64:
    case XLA_FFI_DataType_F64:
      return 8;
    default:
      return 0;
  }
}

CallKey::CallKey(const XLA_FFI_CallFrame& frame) noexcept {
  add(frame.attrs.size);
  for (std::int64_t i = 0; i < frame.attrs.size; ++i) {
    add(*frame.attrs.names[i]);
    add_attribute(frame.attrs.types[i], frame.attrs.attrs[i]);
  }
  add(frame.args.size);
  for (std::int64_t i = 0; i < frame.args.size; ++i)
    add(*static_cast<const XLA_FFI_Buffer*>(frame.args.args[i]));
  for (std::int64_t i = 0; i < frame.rets.size; ++i)
    add(*static_cast<const XLA_FFI_Buffer*>(frame.rets.rets[i]));
}

void CallKey::add(const XLA_FFI_ByteSpan& text) noexcept {
  add(static_cast<std::int64_t>(text.len));
  add(text.ptr, text.len);
}

void CallKey::add(const XLA_FFI_Buffer& buffer) noexcept {
  add(buffer.dtype);
  add(buffer.rank);
  add(buffer.dims, static_cast<std::size_t>(buffer.rank) * sizeof(std::int64_t));
}

// Kinds that no operator takes are left out: such a call fails before its plan is kept.
void CallKey::add_attribute(XLA_FFI_AttrType type, const void* attribute) noexcept {
  add(type);
  if (type == XLA_FFI_AttrType_STRING) {
    add(*static_cast<const XLA_FFI_ByteSpan*>(attribute));
  } else if (type == XLA_FFI_AttrType_SCALAR) {
    const auto& scalar = *static_cast<const XLA_FFI_Scalar*>(attribute);
    add(scalar.dtype);
    add(scalar.value, scalar_bytes(scalar.dtype));
  }
}

}  // namespace windrow::jax
