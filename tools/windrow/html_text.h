#ifndef WINDROW_TOOLS_WINDROW_HTML_TEXT_H_
#define WINDROW_TOOLS_WINDROW_HTML_TEXT_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace windrow::tool {

// Characters of a text that a page shows; more are left out, and the page says how many.
inline constexpr std::size_t kMostCharacters = 400;
// Lines of a table's cell that a page shows; likewise.
inline constexpr std::size_t kMostLines = 16;

// A character as HTML or XML: in text, or in the value of a quoted attribute.
std::string escaped(char c);

// `text`, which may hold any bytes, as the content of an element or the value of a quoted
// attribute: printable(), cut after kMostCharacters, its signs escaped.
std::string html_text(std::string_view text);

// The same for several lines, each of which is cut on its own.
std::string html_lines(std::string_view lines);

// The rows of an HTML table. No more than `most` are kept; the others are counted.
class HtmlTable {
 public:
  HtmlTable(const std::vector<std::string>& headings, std::size_t most);

  // A row of cells, each some lines of text, which are escaped here; at most kMostLines are shown.
  // `below`: HTML for a row of full width under the cells; empty: no such row. `row_class`: the
  // class of the row in the style sheet; empty: none.
  void add(const std::vector<std::vector<std::string>>& cells, std::string_view below = {},
           std::string_view row_class = {});

  std::size_t count() const noexcept { return count_; }
  // The table, with a line under it if rows were left out; `what` they are: "nodes".
  std::string html(std::string_view what) const;

 private:
  std::size_t columns_;
  std::size_t most_;
  std::size_t count_ = 0;
  std::string head_;
  std::string rows_;
};

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_HTML_TEXT_H_
