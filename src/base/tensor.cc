#include "windrow/tensor.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "src/base/integers.h"
#include "src/base/memory.h"
#include "windrow/dtype.h"
#include "windrow/result_pool.h"
#include "windrow/shape.h"

namespace windrow {
namespace {

struct Row {
  std::string_view name;
  int bits;
  DTypeKind kind;
};

// Indexed by the enumerator's value.
constexpr std::array kRows = {
    Row{"absent", 0, DTypeKind::kAbsent},
#define WINDROW_DTYPE(enumerator, name, bits, kind, ...) Row{name, bits, DTypeKind::kind},
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
};

const Row& row(DType type) noexcept { return kRows[static_cast<std::size_t>(type)]; }

}  // namespace

int dtype_bits(DType type) noexcept { return row(type).bits; }

std::string_view dtype_name(DType type) noexcept { return row(type).name; }

DTypeKind dtype_kind(DType type) noexcept { return row(type).kind; }

std::optional<DType> parse_dtype(std::string_view name) noexcept {
  for (std::size_t i = 1; i < kRows.size(); ++i) {
    if (kRows[i].name == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

std::optional<std::int64_t> element_count(const Shape& shape) noexcept {
  std::int64_t count = 1;
  bool is_empty = false;
  bool overflows = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) return std::nullopt;
    is_empty |= extent == 0;
    overflows |= __builtin_mul_overflow(count, extent, &count);
  }
  // A zero factor decides, wherever the others overflow.
  if (is_empty) return 0;
  if (overflows) return std::nullopt;
  return count;
}

Strides row_major_strides(const Shape& shape, std::int64_t element_bytes) noexcept {
  Strides strides = Strides::filled(shape.rank(), element_bytes);
  if (element_count(shape).value_or(0) == 0) return strides;
  for (int axis = shape.rank() - 2; axis >= 0; --axis) {
    strides[axis] = internal::checked_mul(strides[axis + 1], shape[axis + 1])
                        .value_or(std::numeric_limits<std::int64_t>::max());
  }
  return strides;
}

std::string to_string(const Dims& dims) {
  std::string text = "[";
  for (int axis = 0; axis < dims.rank(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(dims[axis]);
  }
  return text + "]";
}

namespace {

Status out_of_memory(std::int64_t bytes) {
  return Status(ErrorCode::kOutOfMemory,
                "tensor: could not allocate " + std::to_string(bytes) + " bytes");
}

Result<std::int64_t> bytes_to_allocate(DType dtype, const Shape& shape) {
  if (dtype == DType::kAbsent)
    return Status(ErrorCode::kType, "tensor: an absent tensor has no memory");
  const auto bytes = dense_byte_count(dtype, shape);
  if (!bytes) {
    return Status(ErrorCode::kShape, "tensor: shape " + to_string(shape) +
                                         " has a negative extent or more than 2^63-1 bytes");
  }
  return *bytes;
}

// The owner of `memory`. If there is no memory for the owner itself, frees `memory` and returns
// null.
template <class Deleter>
std::shared_ptr<void> own(void* memory, Deleter deleter) {
  try {
    return std::shared_ptr<void>(memory, deleter);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

// Small calls have no part in the pool of results, unless an allocation fails.
ResultMemory allocate_memory(std::size_t bytes) noexcept {
  void* small = bytes < kLeastPooledBytes ? internal::allocate_elements(bytes) : nullptr;
  return small != nullptr ? ResultMemory{small, bytes} : allocate_result(bytes);
}

struct FreeResult {
  std::size_t bytes;
  bool is_recycled;
  void operator()(void* memory) const {
    if (bytes < kLeastPooledBytes) return internal::free_elements(memory, bytes);
    free_result({memory, bytes});
  }
};

struct DestroyStrings {
  std::size_t count;
  std::size_t bytes;
  void operator()(void* memory) const {
    std::destroy_n(static_cast<std::string*>(memory), count);
    free_result({memory, bytes});
  }
};

// The number of last axes that stand in memory in row-major order without gaps.
int dense_suffix(const TensorView& view) {
  std::int64_t expected = dtype_bits(view.dtype) / 8;
  int axis = view.shape.rank();
  while (axis > 0) {
    const std::int64_t extent = view.shape[axis - 1];
    if (extent != 1 && view.strides[axis - 1] != expected) break;
    if (__builtin_mul_overflow(expected, extent, &expected)) break;
    --axis;
  }
  return view.shape.rank() - axis;
}

// Calls row(pointer) for each position of the first `outer_rank` axes, in row-major order.
template <class Row>
void for_each_row(const TensorView& view, int outer_rank, Row row) {
  Dims position = Dims::filled(outer_rank, 0);
  const auto* pointer = static_cast<const std::byte*>(view.data);
  for (;;) {
    row(pointer);
    int axis = outer_rank - 1;
    for (; axis >= 0; --axis) {
      if (++position[axis] < view.shape[axis]) {
        pointer += view.strides[axis];
        break;
      }
      position[axis] = 0;
      pointer -= view.strides[axis] * (view.shape[axis] - 1);
    }
    if (axis < 0) return;
  }
}

void copy_elements(const TensorView& from, void* to) {
  const int rank = from.shape.rank();
  const int row_rank = is_packed(from.dtype) ? rank : dense_suffix(from);
  Shape row_shape;
  row_shape.append(from.shape, rank - row_rank, rank);
  const auto row_bytes = static_cast<std::size_t>(*dense_byte_count(from.dtype, row_shape));
  const auto row_count = *element_count(row_shape);
  if (from.dtype == DType::kString) {
    auto* target = static_cast<std::string*>(to);
    for_each_row(from, rank - row_rank, [&](const std::byte* row) {
      target = std::copy_n(reinterpret_cast<const std::string*>(row), row_count, target);
    });
    return;
  }
  auto* target = static_cast<std::byte*>(to);
  for_each_row(from, rank - row_rank, [&](const std::byte* row) {
    std::memcpy(target, row, row_bytes);
    target += row_bytes;
  });
}

}  // namespace

std::optional<std::int64_t> dense_byte_count(DType dtype, const Shape& shape) noexcept {
  const auto count = element_count(shape);
  if (!count) return std::nullopt;
  if (is_packed(dtype)) {
    const std::int64_t per_byte = 8 / dtype_bits(dtype);
    return *count / per_byte + (*count % per_byte != 0 ? 1 : 0);
  }
  return internal::checked_mul(*count, dtype_bits(dtype) / 8);
}

bool TensorView::is_dense() const noexcept {
  if (is_packed(dtype) || dense_suffix(*this) == shape.rank()) return true;
  return element_count(shape).value_or(0) == 0;
}

TensorSpec TensorView::spec() const {
  TensorSpec spec;
  spec.dtype = dtype;
  spec.shape = shape;
  if (!is_dense()) spec.strides = strides;
  return spec;
}

Result<Tensor> Tensor::allocate(DType dtype, const Shape& shape) {
  const auto bytes = bytes_to_allocate(dtype, shape);
  if (!bytes) return bytes.error();
  const ResultMemory memory = allocate_memory(static_cast<std::size_t>(*bytes));
  if (memory.data == nullptr) return out_of_memory(*bytes);
  std::shared_ptr<void> owner;
  if (dtype == DType::kString) {
    const auto count = static_cast<std::size_t>(*windrow::element_count(shape));
    std::uninitialized_value_construct_n(static_cast<std::string*>(memory.data), count);
    owner = own(memory.data, DestroyStrings{count, memory.bytes});
  } else {
    owner = own(memory.data, FreeResult{memory.bytes, memory.is_recycled});
  }
  if (!owner) return out_of_memory(*bytes);
  return adopt(dtype, shape, memory.data, std::move(owner));
}

Result<Tensor> Tensor::zeros(DType dtype, const Shape& shape) {
  auto tensor = allocate(dtype, shape);
  if (tensor && dtype != DType::kString)
    std::memset(tensor->data(), 0, static_cast<std::size_t>(tensor->byte_count()));
  return tensor;
}

Result<Tensor> Tensor::copy_of(const TensorView& view) {
  auto tensor = allocate(view.dtype, view.shape);
  if (!tensor || tensor->element_count() == 0) return tensor;
  try {
    copy_elements(view, tensor->data());
  } catch (const std::bad_alloc&) {  // a long string
    return out_of_memory(tensor->byte_count());
  }
  return tensor;
}

Tensor Tensor::adopt(DType dtype, const Shape& shape, void* data, std::shared_ptr<void> owner) {
  Tensor tensor;
  tensor.view_ = MutableTensorView(dtype, shape, data);
  tensor.owner_ = std::move(owner);
  return tensor;
}

bool Tensor::is_recycled() const noexcept {
  const auto* const deleter = std::get_deleter<FreeResult>(owner_);
  return deleter != nullptr && deleter->is_recycled;
}

std::int64_t Tensor::byte_count() const noexcept {
  return dense_byte_count(dtype(), shape()).value_or(0);
}

}  // namespace windrow
