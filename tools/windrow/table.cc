#include "tools/windrow/table.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "windrow/printable.h"

namespace windrow::tool {
namespace {

constexpr std::size_t kGap = 2;

// Characters, not bytes: UTF-8 continuation bytes take no room.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

}  // namespace

void Table::add(const std::vector<std::string>& cells) {
  widths_.resize(std::max(widths_.size(), cells.size()));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string cell = printable(cells[i]);
    widths_[i] = std::max(widths_[i], width_of(cell));
    text_ += cell;
    cell_ends_.push_back(text_.size());
  }
  line_ends_.push_back(cell_ends_.size());
}

void Table::for_each_line(const std::function<void(const std::string&)>& visit) const {
  std::size_t begin = 0;  // of the cell in text_
  std::size_t cell = 0;
  std::string line;
  for (const std::size_t line_end : line_ends_) {
    line.clear();
    for (std::size_t column = 0; cell < line_end; ++cell, ++column) {
      const std::string_view text(text_.data() + begin, cell_ends_[cell] - begin);
      line += text;
      line.append(widths_[column] - width_of(text) + kGap, ' ');
      begin = cell_ends_[cell];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    visit(line);
  }
}

std::vector<std::string> Table::lines() const {
  std::vector<std::string> result;
  result.reserve(line_ends_.size());
  for_each_line([&result](const std::string& line) { result.push_back(line); });
  return result;
}

}  // namespace windrow::tool
