#ifndef WINDROW_PLUGINS_JAX_CALL_KEY_H_
#define WINDROW_PLUGINS_JAX_CALL_KEY_H_

#include <xla/ffi/api/c_api.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace windrow::jax {

// All that a call frame says but its memory: attributes, and the types and shapes of operands and
// results. Two frames with equal keys run the same plan. On the stack, since every call makes one.
class CallKey {
 public:
  explicit CallKey(const XLA_FFI_CallFrame& frame) noexcept;

  // False: the frame is too large for a key and its plan is not kept.
  bool fits() const noexcept { return fits_; }
  std::string_view bytes() const noexcept { return {bytes_, size_}; }

 private:
  void add(const void* data, std::size_t size) noexcept {
    if (size > sizeof(bytes_) - size_) {
      fits_ = false;
    } else if (size != 0) {
      std::memcpy(bytes_ + size_, data, size);
      size_ += size;
    }
  }
  void add(std::int64_t number) noexcept { add(&number, sizeof(number)); }
  void add(const XLA_FFI_ByteSpan& text) noexcept;
  void add(const XLA_FFI_Buffer& buffer) noexcept;
  void add_attribute(XLA_FFI_AttrType type, const void* attribute) noexcept;

  bool fits_ = true;
  std::size_t size_ = 0;
  char bytes_[2048];
};

// Bytes of a scalar attribute; 0 for types that no operator's attribute has.
std::size_t scalar_bytes(XLA_FFI_DataType type) noexcept;

}  // namespace windrow::jax

#endif  // WINDROW_PLUGINS_JAX_CALL_KEY_H_
