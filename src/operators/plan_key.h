#ifndef WINDROW_OPERATORS_PLAN_KEY_H_
#define WINDROW_OPERATORS_PLAN_KEY_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

#include "windrow/attributes.h"
#include "windrow/operators.h"
#include "windrow/options.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Everything that a compiled plan depends on, as bytes: two calls of compile() with equal keys get
// equal plans. On the stack, since every call makes one.
class PlanKey {
 public:
  PlanKey(const OperatorId& id, const Attributes& attributes, std::span<const TensorSpec> inputs,
          const CallOptions& options) noexcept;

  // False: the call says more than a key holds, or has a tensor for an attribute.
  bool fits() const noexcept { return fits_; }
  std::string_view bytes() const noexcept { return {bytes_, size_}; }
  std::uint64_t hash() const noexcept;

 private:
  void add_bytes(const void* data, std::size_t size) noexcept {
    if (size > sizeof(bytes_) - size_) {
      fits_ = false;
    } else if (size != 0) {
      std::memcpy(bytes_ + size_, data, size);
      size_ += size;
    }
  }
  template <class T>
  requires(std::is_arithmetic_v<T> || std::is_enum_v<T>) void add(T value) noexcept {
    add_bytes(&value, sizeof(value));
  }
  void add(std::string_view text) noexcept {
    add(text.size());
    add_bytes(text.data(), text.size());
  }
  template <class T>
  void add_list(const T& values) noexcept;
  void add(const Dims& dims) noexcept;
  void add_attribute(const AttributeValue& value) noexcept;
  void add_tensor(const Tensor& tensor) noexcept;
  void add_spec(const TensorSpec& spec) noexcept;

  bool fits_ = true;
  std::size_t size_ = 0;
  char bytes_[1024];
};

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_PLAN_KEY_H_
