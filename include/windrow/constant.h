#ifndef WINDROW_CONSTANT_H_
#define WINDROW_CONSTANT_H_

#include <functional>
#include <memory>

#include "windrow/export.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow {

// A constant of a model: its type, shape and elements. The elements may stay in a file until they
// are first asked for. In the library windrow::models. Cheap to copy: copies share the elements.
class WINDROW_EXPORT Constant {
 public:
  // An absent constant: of type kAbsent, without elements.
  Constant() = default;
  // A constant whose elements are in memory. `tensor` must not be null.
  Constant(std::shared_ptr<const Tensor> tensor) noexcept;  // NOLINT: a tensor is a constant
  Constant(Tensor tensor);                                  // NOLINT: as above

  // Returns the elements as a dense tensor of the declared type and shape. May be called at any
  // time and by several threads at the same time.
  using Read = std::function<Result<Tensor>()>;
  Constant(DType dtype, const Shape& shape, Read read);

  DType dtype() const noexcept;
  const Shape& shape() const noexcept;
  // Bytes of the elements; packed types take whole bytes.
  std::int64_t byte_count() const noexcept;

  // The elements. The first call reads them; then they stay in memory as long as the constant or a
  // copy of it. Several threads may call this at the same time. Errors: kIo, kFormat (the file has
  // changed since the model was read), kOutOfMemory; a later call may succeed.
  Result<std::shared_ptr<const Tensor>> tensor() const;

 private:
  struct Unread;

  std::shared_ptr<const Tensor> tensor_;  // null: the elements have not been read yet
  std::shared_ptr<Unread> unread_;
};

}  // namespace windrow

#endif  // WINDROW_CONSTANT_H_
