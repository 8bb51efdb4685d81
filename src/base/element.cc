#include "src/base/element.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "windrow/element.h"
#include "windrow/printable.h"
#include "windrow/small_float.h"

namespace windrow {
namespace {

constexpr std::size_t kLongestString = 40;  // bytes shown of a string element

template <class T>
T load(const void* data, std::int64_t position) {
  T value;
  std::memcpy(&value,
              static_cast<const std::byte*>(data) + static_cast<std::size_t>(position) * sizeof(T),
              sizeof(T));
  return value;
}

// The element's bits, in the low end of the result.
std::uint16_t load_bits(DType dtype, const void* data, std::int64_t position) {
  if (dtype_bits(dtype) == 16) return load<std::uint16_t>(data, position);
  if (dtype_bits(dtype) == 8) return load<std::uint8_t>(data, position);
  return internal::get_packed(dtype, data, position);
}

Element wide_float_at(DType dtype, const void* data, std::int64_t position) {
  switch (dtype) {
    case DType::kFloat32:
      return load<float>(data, position);
    case DType::kFloat64:
      return load<double>(data, position);
    case DType::kComplex64:
      return load<std::complex<float>>(data, position);
    default:
      return load<std::complex<double>>(data, position);
  }
}

Element integer_at(DType dtype, const void* data, std::int64_t position) {
  switch (dtype) {
    case DType::kInt4:
      return std::int64_t{(load_bits(dtype, data, position) ^ 8) - 8};
    case DType::kInt8:
      return std::int64_t{load<std::int8_t>(data, position)};
    case DType::kInt16:
      return std::int64_t{load<std::int16_t>(data, position)};
    case DType::kInt32:
      return std::int64_t{load<std::int32_t>(data, position)};
    case DType::kInt64:
      return load<std::int64_t>(data, position);
    case DType::kUint32:
      return std::uint64_t{load<std::uint32_t>(data, position)};
    case DType::kUint64:
      return load<std::uint64_t>(data, position);
    default:
      return std::uint64_t{load_bits(dtype, data, position)};
  }
}

// Writes an exponent only where the number would otherwise have more than 16 digits before the
// point or more than 3 zeros behind it.
template <class T>
std::string number_text(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  const T magnitude = std::abs(value);
  const bool is_plain = magnitude == 0 || (magnitude >= T(1e-4) && magnitude < T(1e16));
  std::array<char, 64> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), value,
                    is_plain ? std::chars_format::fixed : std::chars_format::scientific);
  return {digits.data(), end.ptr};
}

// The text is cut before it is made printable, so that a string of gigabytes costs no more than a
// short one.
std::string quoted(std::string_view text) {
  std::string_view shown = text.substr(0, kLongestString);
  if (shown.size() < text.size()) {
    // The cut is between characters, not inside one.
    std::size_t end = shown.size();
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    shown = shown.substr(0, end);
  }
  std::string line = "\"";
  for (const char character : shown) {
    if (character == '"' || character == '\\') line += '\\';
    line += character;
  }
  return printable(line + "\"") + (shown.size() < text.size() ? "..." : "");
}

struct ToText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(float value) const { return number_text(value); }
  std::string operator()(double value) const { return number_text(value); }
  template <class T>
  std::string operator()(const std::complex<T>& value) const {
    const std::string imaginary = number_text(value.imag());
    return number_text(value.real()) + (imaginary[0] == '-' ? "" : "+") + imaginary + "j";
  }
  std::string operator()(const std::string& value) const { return quoted(value); }
};

}  // namespace

Element element_at(DType dtype, const void* data, std::int64_t position) {
  if (const auto small = small_float_of(dtype))
    return decode(*small, load_bits(dtype, data, position));
  // NF4 elements are only ever copied: they are shown as their codes.
  if (dtype == DType::kNF4) return std::uint64_t{load_bits(dtype, data, position)};
  switch (dtype_kind(dtype)) {
    case DTypeKind::kBoolean:
      return load<std::uint8_t>(data, position) != 0;
    case DTypeKind::kText:
      return static_cast<const std::string*>(data)[position];
    case DTypeKind::kFloat:
    case DTypeKind::kComplex:
      return wide_float_at(dtype, data, position);
    default:
      return integer_at(dtype, data, position);
  }
}

std::string to_text(const Element& element) { return std::visit(ToText(), element); }

}  // namespace windrow
