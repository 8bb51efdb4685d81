#ifndef WINDROW_TOOLS_WINDROW_PARSE_NUMBER_H_
#define WINDROW_TOOLS_WINDROW_PARSE_NUMBER_H_

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace windrow::tool {

// The number that the whole of `text` is; nothing for other text and for one that does not fit.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_PARSE_NUMBER_H_
