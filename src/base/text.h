#ifndef WINDROW_BASE_TEXT_H_
#define WINDROW_BASE_TEXT_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace windrow::internal {

// Whether UTF-8 can encode it: not a surrogate, not above 0x10ffff.
constexpr bool is_code_point(std::uint32_t value) noexcept {
  return value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
}

// The number of bytes that encode a code point.
constexpr std::size_t encoded_size(std::uint32_t code_point) noexcept {
  if (code_point < 0x80) return 1;
  if (code_point < 0x800) return 2;
  return code_point < 0x10000 ? 3 : 4;
}

// The code point with which `text` begins, which takes encoded_size() bytes; nothing if `text` is
// empty or does not begin with valid UTF-8 in its shortest form.
constexpr std::optional<std::uint32_t> first_code_point(std::string_view text) noexcept {
  if (text.empty()) return std::nullopt;
  const auto lead = static_cast<std::uint8_t>(text[0]);
  const int ones = std::countl_one(lead);
  if (ones == 0) return lead;
  const auto size = static_cast<std::size_t>(ones);
  if (size == 1 || size > 4 || size > text.size()) return std::nullopt;
  std::uint32_t value = lead & (0xffU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    const auto next = static_cast<std::uint8_t>(text[i]);
    if ((next & 0xc0) != 0x80) return std::nullopt;
    value = value << 6 | (next & 0x3fU);
  }
  // A longer encoding than needed would give one text two spellings.
  if (!is_code_point(value) || encoded_size(value) != size) return std::nullopt;
  return value;
}

}  // namespace windrow::internal

#endif  // WINDROW_BASE_TEXT_H_
