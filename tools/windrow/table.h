#ifndef WINDROW_TOOLS_WINDROW_TABLE_H_
#define WINDROW_TOOLS_WINDROW_TABLE_H_

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace windrow::tool {

// The columns that a line of UTF-8 takes in a terminal: 2 for wide characters such as those of
// Chinese, 0 for combining ones. A byte that is not UTF-8 counts as one column.
std::size_t width_of(std::string_view text);

// Lines of cells, printed in columns that are as wide as their widest cell. Cells are made
// printable().
class Table {
 public:
  void add(std::initializer_list<std::string_view> cells);
  // Calls `visit` with each line, without its newline and trailing blanks.
  void for_each_line(const std::function<void(const std::string&)>& visit) const;
  // The lines as strings.
  std::vector<std::string> lines() const;

 private:
  // Some lines, their cells one after another. Tables may have a line for each of a million nodes:
  // in parts none of them is ever moved for room.
  struct Part {
    std::string text;
    std::vector<std::size_t> cell_ends;  // in text
    std::vector<std::size_t> line_ends;  // in cell_ends
  };

  std::vector<Part> parts_;
  std::vector<std::size_t> widths_;  // in characters, of columns
};

class Console;
// Prints a table whose first line is its heading.
void print_table(Console& console, const Table& table);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_TABLE_H_
