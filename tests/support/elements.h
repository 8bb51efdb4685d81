#ifndef WINDROW_TESTS_SUPPORT_ELEMENTS_H_
#define WINDROW_TESTS_SUPPORT_ELEMENTS_H_

#include <cstdint>
#include <string>

#include "windrow/shape.h"
#include "windrow/tensor.h"

// Access to single elements of tensors, simple and slow.
namespace windrow::tests {

// Moves `position` to the next one of `shape` in row-major order; false after the last.
bool next_position(const Shape& shape, Dims& position) noexcept;

// The distance of the element from the one at position zero.
std::int64_t byte_offset(const Strides& strides, const Dims& position) noexcept;

// The element's bytes: the characters of a string, one byte that holds a 4-bit element.
std::string read_element(const TensorView& view, const Dims& position);

// Whether the elements of two tensors of one type and shape have the same bytes.
bool same_element(const TensorView& a, const TensorView& b, const Dims& position) noexcept;

// The reverse of read_element. Precondition: `bytes` has the element's size.
void write_element(const MutableTensorView& view, const Dims& position, const std::string& bytes);

// The element as text: or a number with its bits ("1.5 (0x3fc00000)").
std::string describe_element(DType type, const std::string& bytes);

// Whether it is an IEEE number, or a complex one with such a component, that is NaN.
bool is_nan(DType type, const std::string& bytes) noexcept;

// Component `index` (0; 1 for an imaginary part) as bits.
std::uint64_t component_bits(DType type, const std::string& bytes, int index) noexcept;

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_SUPPORT_ELEMENTS_H_
