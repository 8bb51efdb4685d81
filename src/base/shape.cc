#include "windrow/shape.h"

#include <limits>

#include "src/base/checked.h"

namespace windrow {

std::optional<std::int64_t> element_count(const Shape& shape) noexcept {
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t extent) { return extent < 0; }))
    return std::nullopt;
  // A zero factor decides before the others can overflow.
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    const auto product = internal::checked_mul(count, extent);
    if (!product) return std::nullopt;
    count = *product;
  }
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

}  // namespace windrow
