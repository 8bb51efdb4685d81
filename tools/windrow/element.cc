#include "tools/windrow/element.h"

#include <fmt/core.h>

#include <cmath>
#include <cstddef>
#include <cstring>
#include <string_view>

#include "tools/windrow/small_float.h"

namespace windrow::tool {
namespace {

constexpr std::size_t kLongestString = 40;  // bytes shown of a string element

template <class T>
T load(const Tensor& tensor, std::int64_t position) {
  T value;
  std::memcpy(
      &value,
      static_cast<const std::byte*>(tensor.data()) + static_cast<std::size_t>(position) * sizeof(T),
      sizeof(T));
  return value;
}

// The element's bits, in the low end of the result; 4-bit elements stand two to a byte, low half
// first, single bits eight to a byte, the highest first.
std::uint16_t load_bits(const Tensor& tensor, std::int64_t position) {
  if (dtype_bits(tensor.dtype()) == 16) return load<std::uint16_t>(tensor, position);
  if (dtype_bits(tensor.dtype()) == 8) return load<std::uint8_t>(tensor, position);
  if (dtype_bits(tensor.dtype()) == 1)
    return static_cast<std::uint16_t>(
        load<std::uint8_t>(tensor, position / 8) >> (7 - position % 8) & 1);
  const int byte = load<std::uint8_t>(tensor, position / 2);
  return static_cast<std::uint16_t>(position % 2 == 0 ? byte & 0xf : byte >> 4);
}

Element wide_float_at(const Tensor& tensor, std::int64_t position) {
  switch (tensor.dtype()) {
    case DType::kFloat32:
      return load<float>(tensor, position);
    case DType::kFloat64:
      return load<double>(tensor, position);
    case DType::kComplex64:
      return load<std::complex<float>>(tensor, position);
    default:
      return load<std::complex<double>>(tensor, position);
  }
}

Element integer_at(const Tensor& tensor, std::int64_t position) {
  switch (tensor.dtype()) {
    case DType::kInt4:
      return std::int64_t{(load_bits(tensor, position) ^ 8) - 8};
    case DType::kInt8:
      return std::int64_t{load<std::int8_t>(tensor, position)};
    case DType::kInt16:
      return std::int64_t{load<std::int16_t>(tensor, position)};
    case DType::kInt32:
      return std::int64_t{load<std::int32_t>(tensor, position)};
    case DType::kInt64:
      return load<std::int64_t>(tensor, position);
    case DType::kUint32:
      return std::uint64_t{load<std::uint32_t>(tensor, position)};
    case DType::kUint64:
      return load<std::uint64_t>(tensor, position);
    default:
      return std::uint64_t{load_bits(tensor, position)};
  }
}

template <class T>
std::string number_text(T value) {
  return std::isnan(value) ? "nan" : fmt::format("{}", value);
}

template <class T>
Json number_json(T value) {
  return std::isfinite(value) ? Json(value) : Json(number_text(value));
}

std::string quote(std::string_view text) {
  std::string shown(text.substr(0, kLongestString));
  if (text.size() > shown.size()) {
    // Cut between characters, not inside one.
    std::size_t end = shown.size();
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
    shown.resize(end);
  }
  std::string line = Json(shown).dump(-1, ' ', false, Json::error_handler_t::replace);
  if (shown.size() < text.size()) line += "...";
  return line;
}

struct ToText {
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(std::int64_t value) const { return std::to_string(value); }
  std::string operator()(std::uint64_t value) const { return std::to_string(value); }
  std::string operator()(float value) const { return number_text(value); }
  std::string operator()(double value) const { return number_text(value); }
  template <class T>
  std::string operator()(const std::complex<T>& value) const {
    const bool minus = std::signbit(value.imag()) && !std::isnan(value.imag());
    return fmt::format("{}{}{}j", number_text(value.real()), minus ? "" : "+",
                       number_text(value.imag()));
  }
  std::string operator()(const std::string& value) const { return quote(value); }
};

struct ToJson {
  Json operator()(float value) const { return number_json(value); }
  Json operator()(double value) const { return number_json(value); }
  template <class T>
  Json operator()(const std::complex<T>& value) const {
    return Json::array({number_json(value.real()), number_json(value.imag())});
  }
  template <class T>
  Json operator()(const T& value) const {
    return Json(value);
  }
};

}  // namespace

Element element_at(const Tensor& tensor, std::int64_t position) {
  if (const auto small = small_float_of(tensor.dtype())) {
    return decode(*small, load_bits(tensor, position));
  }
  // Only ever copied: shown as what it is, a code.
  if (tensor.dtype() == DType::kNF4) return std::uint64_t{load_bits(tensor, position)};
  switch (dtype_kind(tensor.dtype())) {
    case DTypeKind::kBoolean:
      return load<std::uint8_t>(tensor, position) != 0;
    case DTypeKind::kText:
      return static_cast<const std::string*>(tensor.data())[position];
    case DTypeKind::kFloat:
    case DTypeKind::kComplex:
      return wide_float_at(tensor, position);
    default:
      return integer_at(tensor, position);
  }
}

std::string to_text(const Element& element) { return std::visit(ToText(), element); }

Json to_json(const Element& element) { return std::visit(ToJson(), element); }

}  // namespace windrow::tool
