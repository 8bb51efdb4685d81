#include "src/formats/text_parser.h"

#include <gtest/gtest.h>

namespace windrow::internal {
namespace {

TEST(TextParser, NumbersAreWholeTexts) {
  EXPECT_EQ(parse_number("-12"), -12);
  for (const char* const text : {"", "x", "1x", " 1", "+1", "9223372036854775808"})
    EXPECT_FALSE(parse_number(text)) << text;
}

class Pairs : private TextParser {
 public:
  using TextParser::TextParser;
  // The sum of "(1, 2)"; nothing if the text is not of that form.
  std::optional<std::int64_t> sum() {
    if (!take('(')) return std::nullopt;
    const std::optional<std::int64_t> first = take_size();
    if (!first || !take(",")) return std::nullopt;
    const std::optional<std::int64_t> second = take_size();
    if (!second || !take(')') || !is_at_end()) return std::nullopt;
    return *first + *second;
  }
};

TEST(TextParser, PassesBlanks) {
  EXPECT_EQ(Pairs("(1,20)").sum(), 21);
  EXPECT_EQ(Pairs(" ( 1\t,\r\n20 ) ").sum(), 21);
}

TEST(TextParser, RefusesWhatIsNotThere) {
  for (const char* const text :
       {"", "(", "(1", "(1,", "(1,2", "(1,2) x", "(-1,2)", "(,2)", "(9223372036854775808,2)"})
    EXPECT_FALSE(Pairs(text).sum()) << text;
}

}  // namespace
}  // namespace windrow::internal
