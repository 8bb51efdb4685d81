#ifndef WINDROW_TOOLS_WINDROW_PAGE_H_
#define WINDROW_TOOLS_WINDROW_PAGE_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tools/windrow/console.h"
#include "windrow/tensor.h"

// What the command's pages share: HTML documents without scripts that load nothing.
namespace windrow::tool {

// A part of a page under a heading. Both are HTML.
std::string page_section(std::string_view heading, std::string_view html);

// A document. `title`: any text. `subtitle` and `sections`: HTML.
std::string page_html(std::string_view title, std::string_view subtitle, std::string_view sections);

// The style sheet of pages, in the light or the dark scheme that the reader's browser asks
// for.
inline constexpr char kPageStyle[] = R"css(
:root {
  color-scheme: light dark;
  --text: #1c2330; --soft: #5a6575; --page: #ffffff; --card: #f4f6f9; --line: #d5dbe3; --mark: #1f5fbf;
  --bad: #b3261e; --caution: #8a6100; --good: #1b6e3c;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e4e8ee; --soft: #9aa5b5; --page: #14181f; --card: #1d232d; --line: #343d4a; --mark: #7fb0ff;
    --bad: #ff9a90; --caution: #f0c55a; --good: #7fd6a0;
  }
}
body {
  margin: 0 auto; padding: 1.5rem; max-width: 80rem; background: var(--page); color: var(--text);
  font: 0.95rem/1.45 system-ui, sans-serif;
}
h1 { margin: 0; font-size: 1.5rem; overflow-wrap: anywhere; }
header p { margin: 0.25rem 0 0; color: var(--soft); }
h2 { margin: 2rem 0 0.5rem; font-size: 1.1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; min-width: 50%; }
th, td { padding: 0.35rem 0.75rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td { max-width: 26rem; overflow-wrap: break-word; font-variant-numeric: tabular-nums; }
table:has(.below) td:nth-child(n + 2):nth-child(-n + 4) { white-space: nowrap; }
tbody tr:has(+ .below) td { border-bottom: none; }
.below td { max-width: none; padding-top: 0; color: var(--soft); font-size: 0.9rem; }
summary { cursor: pointer; color: var(--mark); }
pre {
  margin: 0.5rem 0; padding: 0.75rem; background: var(--card); color: var(--text); border-radius: 0.4rem;
  font: 0.85rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere;
}
.fails td:nth-child(5), .silent td:nth-child(5), b.fails, b.silent { color: var(--bad); font-weight: 600; }
.undefined td:nth-child(5), b.undefined { color: var(--caution); font-weight: 600; }
.cannot td:nth-child(4) { color: var(--good); }
.below ul { margin: 0.35rem 0; padding-left: 1.25rem; }
.below p { margin: 0.35rem 0; }
.more { color: var(--soft); }
@media print { details > pre { display: block; } body { max-width: none; } }
)css";

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

// "float32[2, 3]"
std::string type_text(const Tensor& tensor);

// All elements of a small tensor, in the nesting of its shape; the first and last ones of a large
// tensor.
std::string preview(const Tensor& tensor);

// {"dtype", "shape", "values", "complete"}: the first elements in row-major order, and whether they
// are all.
Json tensor_json(const Tensor& tensor);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_PAGE_H_
