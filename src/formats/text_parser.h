#ifndef WINDROW_FORMATS_TEXT_PARSER_H_
#define WINDROW_FORMATS_TEXT_PARSER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace windrow::internal {

// A number of 64 bits in decimal, which is the whole text; nothing if the text is no such number.
std::optional<std::int64_t> parse_number(std::string_view text) noexcept;

// Reads a text from its beginning to its end. What is taken may have blanks before it.
class TextParser {
 public:
  explicit TextParser(std::string_view text) noexcept : text_(text) {}

 protected:
  void skip_blanks() noexcept;
  bool is_at_end() noexcept;
  // Whether this comes next; if so, it is passed.
  bool take(std::string_view wanted) noexcept;
  bool take(char wanted) noexcept { return take(std::string_view(&wanted, 1)); }
  // A number without a sign; nothing if none comes next, or one beyond 64 bits.
  std::optional<std::int64_t> take_size() noexcept;

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_TEXT_PARSER_H_
