#include "src/explain/element_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>

#include "src/reference/number.h"
#include "windrow/printable.h"

namespace windrow::internal {
namespace {

using reference::Element;
using reference::number;

constexpr std::size_t kMostCharacters = 40;

template <class T>
std::string float_text(T value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  std::array<char, 64> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
  return {digits.data(), end.ptr};
}

template <class T>
std::string complex_text(const Element& element) {
  const std::string imaginary = float_text(number<T>(element, sizeof(T)));
  return float_text(number<T>(element)) + (imaginary[0] == '-' ? "" : "+") + imaginary + "j";
}

// Cut before it is made printable, so that a string of gigabytes costs no more than a short one.
std::string quoted(const std::string& text) {
  const bool cut = text.size() > kMostCharacters;
  return "\"" + printable(text.substr(0, kMostCharacters)) + (cut ? "\".." : "\"");
}

}  // namespace

std::string element_text(const Element& element) {
  switch (element.dtype) {
    case DType::kBool:
      return number<std::uint8_t>(element) != 0 ? "true" : "false";
    case DType::kString:
      return quoted(element.text);
    case DType::kFloat32:
      return float_text(number<float>(element));
    case DType::kFloat64:
      return float_text(number<double>(element));
    case DType::kComplex64:
      return complex_text<float>(element);
    case DType::kComplex128:
      return complex_text<double>(element);
    default:
      if (is_integer(element.dtype))
        return reference::visit_integer(element, [](auto value) { return std::to_string(value); });
      return reference::visit_small_float(
          element.dtype, [&](const auto& format) { return float_text(format.value(element)); });
  }
}

}  // namespace windrow::internal
