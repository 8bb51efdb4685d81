#include "src/models/value_info.h"

#include <string>
#include <string_view>
#include <utility>

#include "src/base/shelf.h"
#include "src/models/check_inputs.h"
#include "src/models/knowledge.h"
#include "windrow/constant.h"
#include "windrow/models.h"

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

namespace {

std::string to_text(const Dim& dim) {
  return dim.is_known() || dim.symbol.empty() ? internal::interval_text(dim) : dim.symbol;
}

}  // namespace

std::string_view basis_name(Basis basis) noexcept {
  switch (basis) {
    case Basis::kUnknown:
      return "unknown";
    case Basis::kProven:
      return "proven";
    case Basis::kOnnx:
      return "onnx";
    case Basis::kClaimed:
      return "claimed";
  }
  return "unknown";
}

const std::string& Model::value_name(const std::string& name) const {
  const std::string* const value = internal::find_in(aliases, name);
  return value == nullptr ? name : *value;
}

std::string internal::type_text(const ValueInfo& value) {
  return value.other_type.empty() ? std::string(dtype_name(value.dtype)) : value.other_type;
}

std::string to_string(const ValueInfo& value) {
  const bool is_known = internal::has_type(value);
  const std::string type = is_known ? internal::type_text(value) : "?";
  if (!value.dims) return is_known ? type + "?" : type;
  return type + "[" + internal::joined(*value.dims, ", ", to_text) + "]";
}

}  // namespace windrow

namespace windrow::internal {

std::string text_of(std::initializer_list<TextPart> parts) {
  std::string text;
  for (const TextPart& part : parts) text += part.view();
  return text;
}

std::string interval_text(const Dim& dim) {
  if (dim.is_known()) return std::to_string(dim.value);
  const Dim any;
  if (dim.low == any.low && dim.high == any.high) return "?";
  return text_of({dim.low, "..", dim.high == any.high ? "" : std::to_string(dim.high)});
}

}  // namespace windrow::internal
