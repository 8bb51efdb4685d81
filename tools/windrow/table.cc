#include "tools/windrow/table.h"

#include <wchar.h>  // wcwidth()

#include <algorithm>
#include <clocale>
#include <cstddef>
#include <cwchar>
#include <string_view>

#include "tools/windrow/console.h"
#include "windrow/printable.h"

namespace windrow::tool {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kPartBytes = std::size_t{1} << 18;  // of text in a part, about

// Makes the functions of wide characters read UTF-8 in this thread, whatever the user's language
// is.
class Utf8Locale {
 public:
  Utf8Locale() : before_(uselocale(utf8())) {}
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;
  ~Utf8Locale() { uselocale(before_); }

 private:
  // Null, which changes nothing, if the system has no such locale.
  static locale_t utf8() {
    static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return locale;
  }
  locale_t before_;
};

}  // namespace

std::size_t width_of(std::string_view text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return text.size();
  const Utf8Locale locale;
  std::size_t width = 0;
  std::mbstate_t state{};
  while (!text.empty()) {
    wchar_t character = 0;
    const std::size_t size = std::mbrtowc(&character, text.data(), text.size(), &state);
    if (size == 0 || size > text.size()) return width + text.size();  // not UTF-8
    width += static_cast<std::size_t>(std::max(wcwidth(character), 0));
    text.remove_prefix(size);
  }
  return width;
}

void Table::add(std::initializer_list<std::string_view> cells) {
  if (parts_.empty() || parts_.back().text.size() >= kPartBytes) parts_.emplace_back();
  Part& part = parts_.back();
  widths_.resize(std::max(widths_.size(), cells.size()));
  auto width = widths_.begin();
  for (const std::string_view text : cells) {
    const std::string cell = printable(text);
    *width = std::max(*width, width_of(cell));
    ++width;
    part.text += cell;
    part.cell_ends.push_back(part.text.size());
  }
  part.line_ends.push_back(part.cell_ends.size());
}

void Table::for_each_line(const std::function<void(const std::string&)>& visit) const {
  std::string line;
  for (const Part& part : parts_) {
    std::size_t begin = 0;  // of the cell in the part's text
    std::size_t cell = 0;
    for (const std::size_t line_end : part.line_ends) {
      line.clear();
      for (std::size_t column = 0; cell < line_end; ++cell, ++column) {
        const std::string_view text(part.text.data() + begin, part.cell_ends[cell] - begin);
        line += text;
        line.append(widths_[column] - width_of(text) + kGap, ' ');
        begin = part.cell_ends[cell];
      }
      line.erase(line.find_last_not_of(' ') + 1);
      visit(line);
    }
  }
}

std::vector<std::string> Table::lines() const {
  std::vector<std::string> result;
  for_each_line([&result](const std::string& line) { result.push_back(line); });
  return result;
}

void print_table(Console& console, const Table& table) {
  bool is_heading = true;
  table.for_each_line([&](const std::string& line) {
    if (is_heading) {
      console.print_line({Paint::kHeading, line});
    } else {
      console.print_line(line);
    }
    is_heading = false;
  });
}

}  // namespace windrow::tool
