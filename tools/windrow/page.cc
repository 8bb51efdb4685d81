#include "tools/windrow/page.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tools/windrow/ops.h"
#include "windrow/printable.h"

namespace windrow::tool {

std::string page_section(std::string_view heading, std::string_view html) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", heading, html);
}

std::string page_html(std::string_view title, std::string_view subtitle,
                      std::string_view sections) {
  const std::string shown = html_text(title);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" "
      "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<header>\n<h1>{}</h1>\n"
      "<p>{}</p>\n</header>\n<main>\n{}</main>\n</body>\n</html>\n",
      shown, kPageStyle, shown, subtitle, sections);
}

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

namespace {

constexpr std::int64_t kMostShown = 16;     // elements of a tensor that is shown whole
constexpr std::int64_t kShownAtEnds = 4;    // elements at each end of a tensor that is not
constexpr std::int64_t kMostInJson = 1000;  // elements in a JSON document

// The part of the tensor from axis `axis` on whose first element is `position`; moves `position`
// behind it.
std::string nested(const Tensor& tensor, int axis, std::int64_t& position) {
  if (axis == tensor.shape().rank()) return to_text(element_at(tensor, position++));
  std::string text = "[";
  for (std::int64_t i = 0; i < tensor.shape()[axis]; ++i) {
    if (i > 0) text += ", ";
    text += nested(tensor, axis + 1, position);
  }
  return text + "]";
}

std::string ends(const Tensor& tensor) {
  const std::int64_t count = tensor.element_count();
  std::string text = "[";
  for (std::int64_t i = 0; i < kShownAtEnds; ++i) text += to_text(element_at(tensor, i)) + ", ";
  text += "...";
  for (std::int64_t i = count - kShownAtEnds; i < count; ++i) {
    text += ", " + to_text(element_at(tensor, i));
  }
  return text + "]";
}

}  // namespace

std::string type_text(const Tensor& tensor) {
  return std::string(dtype_name(tensor.dtype())) + to_string(tensor.shape());
}

std::string preview(const Tensor& tensor) {
  const std::int64_t count = tensor.element_count();
  if (count == 0) return "(no elements)";
  if (count > kMostShown) return ends(tensor);
  std::int64_t position = 0;
  return nested(tensor, 0, position);
}

Json tensor_json(const Tensor& tensor) {
  const std::int64_t shown = std::min(tensor.element_count(), kMostInJson);
  Json values = Json::array();
  for (std::int64_t i = 0; i < shown; ++i) values.push_back(to_json(element_at(tensor, i)));
  return {{"dtype", dtype_name(tensor.dtype())},
          {"shape", std::vector<std::int64_t>(tensor.shape().begin(), tensor.shape().end())},
          {"values", values},
          {"complete", shown == tensor.element_count()}};
}

}  // namespace windrow::tool
