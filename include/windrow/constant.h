#ifndef WINDROW_CONSTANT_H_
#define WINDROW_CONSTANT_H_

#include <functional>
#include <memory>

#include "windrow/export.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow {

// A constant of a model: its type and shape, and its elements, which may stand in a file until they
// are first asked for. In the library windrow::models. Cheap to copy: copies share the elements.
class WINDROW_EXPORT Constant {
 public:
  // None: kAbsent, without elements.
  Constant() = default;
  // One whose elements are in memory. `tensor` is not null.
  Constant(std::shared_ptr<const Tensor> tensor) noexcept;  // NOLINT: a tensor is a constant
  Constant(Tensor tensor);                                  // NOLINT: as above

  // Gives the elements, in a dense tensor of the type and shape that were promised; at any time,
  // and from several threads at once.
  using Read = std::function<Result<Tensor>()>;
  Constant(DType dtype, const Shape& shape, Read read);

  DType dtype() const noexcept;
  const Shape& shape() const noexcept;
  // Bytes of the elements; packed types take whole bytes.
  std::int64_t byte_count() const noexcept;

  // The elements, which are read by the first call that asks for them, and then stay in memory as
  // long as the constant or a copy of it. Several threads may ask at the same time. Errors: kIo,
  // kFormat (the file has changed since the model was read), kOutOfMemory; a later call may
  // succeed.
  Result<std::shared_ptr<const Tensor>> tensor() const;

 private:
  struct Unread;

  std::shared_ptr<const Tensor> tensor_;  // null: they are in a file, or were
  std::shared_ptr<Unread> unread_;
};

}  // namespace windrow

#endif  // WINDROW_CONSTANT_H_
