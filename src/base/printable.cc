#include "windrow/printable.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "src/base/utf8.h"

namespace windrow {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

// "\x1b", "\u202e": `prefix` and the last `digits` hexadecimal digits of `value`.
void append_code(std::string_view prefix, std::uint32_t value, int digits, std::string& line) {
  line += prefix;
  for (int i = digits - 1; i >= 0; --i) line += kDigits[value >> 4 * i & 0xf];
}

void append_control(std::uint32_t value, std::string& line) {
  switch (value) {
    case '\n':
      line += "\\n";
      return;
    case '\r':
      line += "\\r";
      return;
    case '\t':
      line += "\\t";
      return;
    case 0:
      line += "\\0";
      return;
    default:
      append_code("\\x", value, 2, line);
  }
}

// Code points above ASCII that a terminal obeys, or that move or hide other text.
bool is_hidden(std::uint32_t value) {
  return value <= 0x9f                             // control characters
         || value == 0x61c                         // marks of direction
         || (value >= 0x200e && value <= 0x200f)   //
         || (value >= 0x2028 && value <= 0x202e)   // separators of lines, turns of direction
         || (value >= 0x2066 && value <= 0x2069);  //
}

}  // namespace

std::string printable(std::string_view text) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~'; };
  if (std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const std::optional<std::uint32_t> value = internal::first_code_point(text);
    const std::size_t size = value ? internal::encoded_size(*value) : 1;
    if (!value) {
      append_code("\\x", static_cast<std::uint8_t>(text[0]), 2, line);
    } else if (*value < 0x20 || *value == 0x7f) {
      append_control(*value, line);
    } else if (*value > 0x7f && is_hidden(*value)) {
      append_code("\\u", *value, 4, line);
    } else {
      line += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return line;
}

}  // namespace windrow
