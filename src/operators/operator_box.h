#ifndef WINDROW_OPERATORS_OPERATOR_BOX_H_
#define WINDROW_OPERATORS_OPERATOR_BOX_H_

#include <cstddef>
#include <new>
#include <type_traits>

namespace windrow::internal {

// Stack memory for the struct of attributes of any operator.
class OperatorBox {
 public:
  OperatorBox() noexcept = default;
  OperatorBox(const OperatorBox&) = delete;
  OperatorBox& operator=(const OperatorBox&) = delete;
  ~OperatorBox() {
    if (destroy_ != nullptr) destroy_(bytes_);
  }

  // May only be called once.
  template <class Op>
  Op& emplace() {
    static_assert(sizeof(Op) <= sizeof(bytes_) && alignof(Op) <= alignof(std::max_align_t));
    Op* const op = new (bytes_) Op;
    if constexpr (!std::is_trivially_destructible_v<Op>)
      destroy_ = [](void* held) noexcept { static_cast<Op*>(held)->~Op(); };
    return *op;
  }
  const void* get() const noexcept { return bytes_; }

 private:
  void (*destroy_)(void*) noexcept = nullptr;
  alignas(std::max_align_t) std::byte bytes_[256];
};

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_OPERATOR_BOX_H_
