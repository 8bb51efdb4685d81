#include "src/explain/markup.h"

#include <algorithm>
#include <array>

namespace windrow::internal {

const std::string_view kPalette = R"css(.windrow {
color-scheme: light dark;
--text: #1c2330; --soft: #5a6575; --page: #ffffff; --card: #f7f8fa; --line: #aab3bf; --focus: #b3261e;
--g0: #edbc4d; --g1: #89cbf0; --g2: #4dbb9d; --g3: #f5ec7b; --g4: #0072b2; --g5: #e28e4d; --g6: #dba1c1;
--t0: #1c2330; --t1: #1c2330; --t2: #10151e; --t3: #1c2330; --t4: #ffffff; --t5: #10151e; --t6: #1c2330;
}
@media (prefers-color-scheme: dark) { .windrow {
--text: #e4e8ee; --soft: #9aa5b5; --page: #14181f; --card: #1d232d; --line: #4a5563; --focus: #ff9a90;
} }
)css";

std::string joined(std::initializer_list<std::string_view> texts) {
  std::string all;
  for (const std::string_view text : texts) all += text;
  return all;
}

std::string escaped(std::string_view text) {
  constexpr std::string_view kSpecial = "&<>\"";
  constexpr std::array kEntities = {"&amp;", "&lt;", "&gt;", "&quot;"};
  std::string markup;
  for (const char c : text) {
    const std::size_t special = kSpecial.find(c);
    if (special == std::string_view::npos)
      markup += c;
    else
      markup += kEntities[special];
  }
  return markup;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t most) {
  std::vector<std::string> lines;
  while (character_count(text) > most) {
    std::size_t cut = text.rfind(' ', most);
    if (cut == std::string_view::npos || cut == 0) cut = text.find(' ');
    if (cut == std::string_view::npos) break;
    lines.emplace_back(text.substr(0, cut));
    text.remove_prefix(cut + 1);
  }
  lines.emplace_back(text);
  return lines;
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

}  // namespace windrow::internal
