#include "plugins/jax/call_key.h"

#include <cstdint>
#include <string_view>

namespace windrow::jax {
namespace {

void add_text(CallKey& key, const XLA_FFI_ByteSpan& text) noexcept {
  key.add(std::string_view(text.ptr, text.len));
}

void add_buffer(CallKey& key, const XLA_FFI_Buffer& buffer) noexcept {
  key.add(buffer.dtype);
  key.add(buffer.rank);
  key.add(buffer.dims, static_cast<std::size_t>(buffer.rank));
}

// Kinds that no operator takes are left out: such a call fails before its plan is kept.
void add_attribute(CallKey& key, XLA_FFI_AttrType type, const void* attribute) noexcept {
  key.add(type);
  if (type == XLA_FFI_AttrType_STRING) {
    add_text(key, *static_cast<const XLA_FFI_ByteSpan*>(attribute));
  } else if (type == XLA_FFI_AttrType_SCALAR) {
    const auto& scalar = *static_cast<const XLA_FFI_Scalar*>(attribute);
    key.add(scalar.dtype);
    key.add(std::string_view(static_cast<const char*>(scalar.value), scalar_bytes(scalar.dtype)));
  }
}

}  // namespace

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

CallKey key_of(const XLA_FFI_CallFrame& frame) noexcept {
  CallKey key;
  key.add(frame.attrs.size);
  for (std::int64_t i = 0; i < frame.attrs.size; ++i) {
    add_text(key, *frame.attrs.names[i]);
    add_attribute(key, frame.attrs.types[i], frame.attrs.attrs[i]);
  }
  key.add(frame.args.size);
  for (std::int64_t i = 0; i < frame.args.size; ++i)
    add_buffer(key, *static_cast<const XLA_FFI_Buffer*>(frame.args.args[i]));
  for (std::int64_t i = 0; i < frame.rets.size; ++i)
    add_buffer(key, *static_cast<const XLA_FFI_Buffer*>(frame.rets.rets[i]));
  return key;
}

}  // namespace windrow::jax
