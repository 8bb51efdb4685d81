#include "src/formats/text_parser.h"

#include <algorithm>
#include <charconv>

namespace windrow::internal {

std::optional<std::int64_t> parse_number(std::string_view text) noexcept {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

void TextParser::skip_blanks() noexcept {
  at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
}

bool TextParser::is_at_end() noexcept {
  skip_blanks();
  return at_ == text_.size();
}

bool TextParser::take(std::string_view wanted) noexcept {
  skip_blanks();
  if (!text_.substr(at_).starts_with(wanted)) return false;
  at_ += wanted.size();
  return true;
}

std::optional<std::int64_t> TextParser::take_size() noexcept {
  skip_blanks();
  const std::size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
  const std::optional<std::int64_t> size = parse_number(text_.substr(at_, end - at_));
  if (size) at_ = end;
  return size;
}

}  // namespace windrow::internal
