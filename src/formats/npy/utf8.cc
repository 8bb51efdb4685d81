#include "src/formats/npy/utf8.h"

#include <bit>
#include <cstddef>

namespace windrow::internal {
namespace {

bool is_code_point(std::uint32_t value) {
  return value <= 0x10ffff && (value < 0xd800 || value > 0xdfff);
}

// Bytes that the encoding of a code point takes.
int encoded_size(std::uint32_t code_point) {
  if (code_point < 0x80) return 1;
  if (code_point < 0x800) return 2;
  return code_point < 0x10000 ? 3 : 4;
}

}  // namespace

bool append_utf8(std::uint32_t code_point, std::string& text) {
  if (!is_code_point(code_point)) return false;
  const int size = encoded_size(code_point);
  if (size == 1) {
    text += static_cast<char>(code_point);
    return true;
  }
  const std::uint32_t lead = 0xf00U >> size & 0xffU;  // as many ones as there are bytes
  text += static_cast<char>(lead | code_point >> 6 * (size - 1));
  for (int i = size - 2; i >= 0; --i)
    text += static_cast<char>(0x80U | (code_point >> 6 * i & 0x3fU));
  return true;
}

std::optional<std::vector<std::uint32_t>> decode_utf8(std::string_view text) {
  std::vector<std::uint32_t> code_points;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<std::uint8_t>(text[at++]);
    const int ones = std::countl_one(lead);
    if (ones == 1 || ones > 4) return std::nullopt;
    std::uint32_t value = lead & (0xffU >> ones);
    for (int i = 1; i < ones; ++i) {
      if (at == text.size() || (static_cast<std::uint8_t>(text[at]) & 0xc0) != 0x80)
        return std::nullopt;
      value = value << 6 | (static_cast<std::uint8_t>(text[at++]) & 0x3fU);
    }
    // A longer encoding than needed would give one text two spellings.
    if (!is_code_point(value) || (ones > 0 && encoded_size(value) != ones)) return std::nullopt;
    code_points.push_back(value);
  }
  return code_points;
}

}  // namespace windrow::internal
