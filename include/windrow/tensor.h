#ifndef WINDROW_TENSOR_H_
#define WINDROW_TENSOR_H_

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "windrow/dtype.h"
#include "windrow/export.h"
#include "windrow/shape.h"
#include "windrow/status.h"

namespace windrow {

class Tensor;

// A tensor before it exists: type, shape, byte strides (absent: row-major) and, where an operator's
// shapes or addresses depend on it, its value. An absent one has a value only where that follows
// from another input (specs_of() in windrow/operators.h): one int64 of rank 0.
struct TensorSpec {
  DType dtype = DType::kAbsent;
  Shape shape;
  std::optional<Strides> strides;
  std::shared_ptr<const Tensor> value;

  bool is_absent() const noexcept { return dtype == DType::kAbsent; }
};

// A read-only view of a tensor in memory that someone else owns. Any byte strides, any alignment
// (string elements must be aligned; packed tensors are dense, and their strides are ignored).
// `data` is the address of the element whose position is all zeros. A default TensorView is an
// omitted optional input.
struct TensorView {
  DType dtype = DType::kAbsent;
  Shape shape;
  Strides strides;  // bytes, one per axis
  const void* data = nullptr;

  TensorView() noexcept = default;
  // A dense row-major tensor.
  TensorView(DType type, const Shape& dims, const void* memory) noexcept
      : TensorView(type, dims, row_major_strides(dims, dtype_bits(type) / 8), memory) {}
  TensorView(DType type, const Shape& dims, const Strides& byte_strides,
             const void* memory) noexcept
      : dtype(type), shape(dims), strides(byte_strides), data(memory) {}

  bool is_absent() const noexcept { return dtype == DType::kAbsent; }
  // Whether the elements are contiguous in row-major order (packed tensors always are).
  WINDROW_EXPORT bool is_dense() const noexcept;
  WINDROW_EXPORT TensorSpec spec() const;
};

// A writable view. As an output: no zero stride over an extent above 1, and no two elements share a
// byte.
struct MutableTensorView {
  DType dtype = DType::kAbsent;
  Shape shape;
  Strides strides;
  void* data = nullptr;

  MutableTensorView() noexcept = default;
  MutableTensorView(DType type, const Shape& dims, void* memory) noexcept
      : MutableTensorView(type, dims, row_major_strides(dims, dtype_bits(type) / 8), memory) {}
  MutableTensorView(DType type, const Shape& dims, const Strides& byte_strides,
                    void* memory) noexcept
      : dtype(type), shape(dims), strides(byte_strides), data(memory) {}

  operator TensorView() const noexcept { return {dtype, shape, strides, data}; }  // NOLINT: a view
};

// A dense row-major tensor that owns its memory (64-byte aligned when allocated here; large memory
// comes from the pool of results and returns to it). Strings are std::string elements. Move-only;
// clone() copies.
class Tensor {
 public:
  Tensor() noexcept = default;
  Tensor(Tensor&&) noexcept = default;
  Tensor& operator=(Tensor&&) noexcept = default;
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor() = default;

  // Uninitialised numbers, or empty strings. Errors: kShape (negative extent, or more than 2^63-1
  // bytes), kOutOfMemory.
  WINDROW_EXPORT static Result<Tensor> allocate(DType dtype, const Shape& shape);
  // Numbers of value 0, false, or empty strings. Errors as for allocate.
  WINDROW_EXPORT static Result<Tensor> zeros(DType dtype, const Shape& shape);
  // A row-major copy of any view. Errors as for allocate.
  WINDROW_EXPORT static Result<Tensor> copy_of(const TensorView& view);
  // Takes dense memory that someone else made (a mapped file, another library's buffer) and keeps
  // `owner` alive as long as the tensor lives. The memory may be read-only if only view() is used.
  WINDROW_EXPORT static Tensor adopt(DType dtype, const Shape& shape, void* data,
                                     std::shared_ptr<void> owner);
  // For tests and small constants: of<float>({2, 2}, {1, 2, 3, 4}). Throws Error if the count does
  // not match the shape.
  template <class T>
  static Tensor of(const Shape& shape, std::type_identity_t<std::initializer_list<T>> values) {
    return from(shape, std::span<const T>(values.begin(), values.size()));
  }
  template <class T>
  static Tensor from(const Shape& shape, std::span<const T> values) {
    Tensor tensor = allocate(dtype_of<T>::value, shape).value();
    if (tensor.element_count() != static_cast<std::int64_t>(values.size()))
      throw Error(Status(ErrorCode::kShape, "Tensor::from: shape " + to_string(shape) +
                                                " does not hold " + std::to_string(values.size()) +
                                                " values"));
    std::copy(values.begin(), values.end(), static_cast<T*>(tensor.data()));
    return tensor;
  }

  bool is_absent() const noexcept { return view_.dtype == DType::kAbsent; }
  DType dtype() const noexcept { return view_.dtype; }
  const Shape& shape() const noexcept { return view_.shape; }
  std::int64_t element_count() const noexcept {
    return windrow::element_count(shape()).value_or(0);
  }
  // Whether allocate() took the memory from the pool of results (windrow/result_pool.h), so that
  // its pages have been touched.
  WINDROW_EXPORT bool is_recycled() const noexcept;
  // Bytes of the elements; packed types take whole bytes.
  WINDROW_EXPORT std::int64_t byte_count() const noexcept;
  void* data() noexcept { return view_.data; }
  const void* data() const noexcept { return view_.data; }
  TensorView view() const noexcept { return view_; }
  MutableTensorView mutable_view() noexcept { return view_; }
  operator TensorView() const noexcept { return view_; }  // NOLINT: a tensor is its view
  TensorSpec spec() const { return view().spec(); }
  Result<Tensor> clone() const { return copy_of(view_); }
  // The elements of a tensor; its dtype must be that of T.
  template <class T>
  std::span<const T> values() const noexcept {
    return {static_cast<const T*>(view_.data), static_cast<std::size_t>(element_count())};
  }

 private:
  MutableTensorView view_;
  std::shared_ptr<void> owner_;
};

// Bytes of a dense tensor. Returns nothing if the shape is invalid or the number exceeds 2^63-1.
WINDROW_EXPORT std::optional<std::int64_t> dense_byte_count(DType dtype,
                                                            const Shape& shape) noexcept;

}  // namespace windrow

#endif  // WINDROW_TENSOR_H_
