#include "windrow/constant.h"

#include <utility>

#include "src/base/published.h"
#include "src/models/text.h"

namespace windrow {

struct Constant::Unread {
  DType dtype;
  Shape shape;
  Read read;
  internal::Published<std::shared_ptr<const Tensor>> tensor;
};

Constant::Constant(std::shared_ptr<const Tensor> tensor) noexcept : tensor_(std::move(tensor)) {}

Constant::Constant(Tensor tensor) : tensor_(std::make_shared<const Tensor>(std::move(tensor))) {}

Constant::Constant(DType dtype, const Shape& shape, Read read)
    : unread_(new Unread{dtype, shape, std::move(read), {}}) {}

DType Constant::dtype() const noexcept {
  if (tensor_ != nullptr) return tensor_->dtype();
  return unread_ != nullptr ? unread_->dtype : DType::kAbsent;
}

const Shape& Constant::shape() const noexcept {
  static const Shape none = {};
  if (tensor_ != nullptr) return tensor_->shape();
  return unread_ != nullptr ? unread_->shape : none;
}

std::int64_t Constant::byte_count() const noexcept {
  return dense_byte_count(dtype(), shape()).value_or(0);
}

Result<std::shared_ptr<const Tensor>> Constant::tensor() const {
  if (unread_ == nullptr) {
    if (tensor_ == nullptr) return internal::argument_error("the constant is empty");
    return tensor_;
  }
  if (const auto* tensor = unread_->tensor.get(); tensor != nullptr) return *tensor;
  Result<Tensor> tensor = unread_->read();
  if (!tensor) return tensor.error();
  return unread_->tensor.publish(std::make_shared<const Tensor>(*std::move(tensor)));
}

}  // namespace windrow
