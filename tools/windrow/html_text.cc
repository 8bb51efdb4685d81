#include "tools/windrow/html_text.h"

#include <fmt/core.h>

#include <algorithm>

#include "windrow/printable.h"

namespace windrow::tool {
namespace {

bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

// The bytes of the first kMostCharacters characters of UTF-8.
std::size_t cut_of(std::string_view text) {
  std::size_t characters = 0;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (begins_character(text[at]) && ++characters > kMostCharacters) return at;
  return text.size();
}

std::string cell_html(const std::vector<std::string>& lines) {
  std::string html;
  for (std::size_t i = 0; i < std::min(lines.size(), kMostLines); ++i)
    html += (i == 0 ? "" : "<br>") + html_text(lines[i]);
  if (lines.size() > kMostLines) html += fmt::format("<br>… ({} more)", lines.size() - kMostLines);
  return html;
}

}  // namespace

std::string escaped(char c) {
  switch (c) {
    case '&':
      return "&amp;";
    case '<':
      return "&lt;";
    case '>':
      return "&gt;";
    case '"':
      return "&quot;";
    case '\'':
      return "&#39;";
    default:
      return {c};
  }
}

std::string html_text(std::string_view text) {
  const std::string plain = printable(text);
  const std::size_t cut = cut_of(plain);
  std::string html;
  for (const char c : std::string_view(plain).substr(0, cut)) html += escaped(c);
  if (cut < plain.size()) {
    const auto left_out = std::count_if(plain.begin() + static_cast<std::ptrdiff_t>(cut),
                                        plain.end(), &begins_character);
    html += fmt::format("… ({} more characters)", left_out);
  }
  return html;
}

std::string html_lines(std::string_view lines) {
  std::string html;
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    html += html_text(lines.substr(0, end));
    html += '\n';
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return html;
}

HtmlTable::HtmlTable(const std::vector<std::string>& headings, std::size_t most)
    : columns_(headings.size()), most_(most) {
  for (const std::string& heading : headings)
    head_ += "<th scope=\"col\">" + html_text(heading) + "</th>";
}

void HtmlTable::add(const std::vector<std::vector<std::string>>& cells, std::string_view below,
                    std::string_view row_class) {
  if (count_++ >= most_) return;
  rows_ += row_class.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", row_class);
  for (const std::vector<std::string>& lines : cells) rows_ += "<td>" + cell_html(lines) + "</td>";
  rows_ += "</tr>\n";
  if (!below.empty())
    rows_ += fmt::format("<tr class=\"below\"><td colspan=\"{}\">{}</td></tr>\n", columns_, below);
}

std::string HtmlTable::html(std::string_view what) const {
  std::string html = "<div class=\"wide\"><table>\n<thead><tr>" + head_ +
                     "</tr></thead>\n<tbody>\n" + rows_ + "</tbody></table></div>\n";
  if (count_ > most_)
    html += fmt::format("<p class=\"more\">{} more {} are left out.</p>\n", count_ - most_, what);
  return html;
}

}  // namespace windrow::tool
