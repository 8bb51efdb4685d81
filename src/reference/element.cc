#include "src/reference/element.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "src/base/element.h"

namespace windrow::internal::reference {
namespace {

// The address of an element; of the first byte of the tensor for the packed types.
const std::byte* address(const TensorView& tensor, const Position& position) {
  const auto* bytes = static_cast<const std::byte*>(tensor.data);
  if (is_packed(tensor.dtype)) return bytes;
  for (int axis = 0; axis < position.rank(); ++axis) bytes += position[axis] * tensor.strides[axis];
  return bytes;
}

std::size_t element_bytes(DType dtype) { return static_cast<std::size_t>(dtype_bits(dtype) / 8); }

std::int64_t cut(double value) {
  const bool fits = value >= -0x1p63 && value < 0x1p63;
  return fits ? static_cast<std::int64_t>(value) : std::numeric_limits<std::int64_t>::min();
}

}  // namespace

Element zero_element(DType dtype) {
  Element zero;
  zero.dtype = dtype;
  return zero;
}

Element read_element(const TensorView& tensor, const Position& position) {
  Element element = zero_element(tensor.dtype);
  const std::byte* from = address(tensor, position);
  if (tensor.dtype == DType::kString) {
    element.text = *reinterpret_cast<const std::string*>(from);
  } else if (is_packed(tensor.dtype)) {
    element.bits[0] = std::byte{get_packed(tensor.dtype, from, flat_index(tensor.shape, position))};
  } else {
    std::memcpy(element.bits.data(), from, element_bytes(tensor.dtype));
  }
  return element;
}

void write_element(Tensor& tensor, const Position& position, const Element& element) {
  const std::int64_t index = flat_index(tensor.shape(), position);
  if (tensor.dtype() == DType::kString) {
    static_cast<std::string*>(tensor.data())[index] = element.text;
  } else if (is_packed(tensor.dtype())) {
    set_packed(tensor.dtype(), tensor.data(), index,
               std::to_integer<std::uint8_t>(element.bits[0]));
  } else {
    const std::size_t bytes = element_bytes(tensor.dtype());
    std::memcpy(static_cast<std::byte*>(tensor.data()) + static_cast<std::size_t>(index) * bytes,
                element.bits.data(), bytes);
  }
}

std::int64_t read_index(const TensorView& indices, const Position& position) {
  const Element element = read_element(indices, position);
  if (!is_integer(element.dtype))
    return visit_real(element.dtype,
                      [&](const auto& format) { return cut(format.value(element)); });
  return visit_integer(element, [](auto value) -> std::int64_t {
    constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
    if constexpr (std::is_same_v<decltype(value), std::uint64_t>)
      return value > std::uint64_t{kLargest} ? kLargest : static_cast<std::int64_t>(value);
    return static_cast<std::int64_t>(value);
  });
}

std::uint64_t read_uint64(const TensorView& indices, const Position& position) {
  return visit_integer(read_element(indices, position),
                       [](auto value) { return static_cast<std::uint64_t>(value); });
}

std::string index_text(const TensorView& indices, const Position& position) {
  return indices.dtype == DType::kUint64 ? std::to_string(read_uint64(indices, position))
                                         : std::to_string(read_index(indices, position));
}

}  // namespace windrow::internal::reference
