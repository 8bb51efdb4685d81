#include "tests/support/elements.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "src/base/element.h"
#include "tests/support/ieee.h"

namespace windrow::tests {
namespace {

std::int64_t linear_position(const Shape& shape, const Dims& position) noexcept {
  std::int64_t linear = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) linear = linear * shape[axis] + position[axis];
  return linear;
}

int components(DType type) noexcept { return dtype_kind(type) == DTypeKind::kComplex ? 2 : 1; }

std::string number_text(DType type, std::uint64_t bits, int bytes) {
  std::ostringstream text;
  if (has_ieee_component(type)) {
    text.precision(17);
    text << decode_component(type, bits);
  } else if (dtype_kind(type) == DTypeKind::kSigned) {
    const int shift = 64 - (is_packed(type) ? dtype_bits(type) : 8 * bytes);
    text << (static_cast<std::int64_t>(bits << shift) >> shift);
  } else {
    text << bits;
  }
  text << " (0x" << std::hex << bits << ")";
  return text.str();
}

}  // namespace

bool next_position(const Shape& shape, Dims& position) noexcept {
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    if (++position[axis] < shape[axis]) return true;
    position[axis] = 0;
  }
  return false;
}

std::int64_t byte_offset(const Strides& strides, const Dims& position) noexcept {
  std::int64_t offset = 0;
  for (int axis = 0; axis < position.rank(); ++axis) offset += strides[axis] * position[axis];
  return offset;
}

std::string read_element(const TensorView& view, const Dims& position) {
  const auto* base = static_cast<const char*>(view.data);
  if (is_packed(view.dtype)) {
    const std::int64_t at = linear_position(view.shape, position);
    return std::string(1, static_cast<char>(internal::get_packed(view.dtype, base, at)));
  }
  const char* element = base + byte_offset(view.strides, position);
  if (view.dtype == DType::kString) return *reinterpret_cast<const std::string*>(element);
  return std::string(element, static_cast<std::size_t>(dtype_bits(view.dtype) / 8));
}

bool same_element(const TensorView& a, const TensorView& b, const Dims& position) noexcept {
  if (is_packed(a.dtype) || a.dtype == DType::kString)
    return read_element(a, position) == read_element(b, position);
  return std::memcmp(static_cast<const char*>(a.data) + byte_offset(a.strides, position),
                     static_cast<const char*>(b.data) + byte_offset(b.strides, position),
                     static_cast<std::size_t>(dtype_bits(a.dtype) / 8)) == 0;
}

void write_element(const MutableTensorView& view, const Dims& position, const std::string& bytes) {
  auto* base = static_cast<char*>(view.data);
  if (is_packed(view.dtype)) {
    internal::set_packed(view.dtype, base, linear_position(view.shape, position),
                         static_cast<std::uint8_t>(bytes[0]));
    return;
  }
  char* element = base + byte_offset(view.strides, position);
  if (view.dtype == DType::kString) {
    *reinterpret_cast<std::string*>(element) = bytes;
  } else {
    std::copy(bytes.begin(), bytes.end(), element);
  }
}

std::uint64_t component_bits(DType type, const std::string& bytes, int index) noexcept {
  const auto size = bytes.size() / static_cast<std::size_t>(components(type));
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + size * static_cast<std::size_t>(index), size);
  return bits;
}

bool is_nan(DType type, const std::string& bytes) noexcept {
  if (!has_ieee_component(type)) return false;
  for (int i = 0; i < components(type); ++i) {
    if (std::isnan(decode_component(type, component_bits(type, bytes, i)))) return true;
  }
  return false;
}

std::string describe_element(DType type, const std::string& bytes) {
  if (type == DType::kString) return "\"" + bytes + "\"";
  const int size = static_cast<int>(bytes.size()) / components(type);
  std::string text = number_text(type, component_bits(type, bytes, 0), size);
  if (components(type) == 2)
    text += " + i " + number_text(type, component_bits(type, bytes, 1), size);
  return text;
}

}  // namespace windrow::tests
