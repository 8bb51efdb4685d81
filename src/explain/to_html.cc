#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "src/explain/markup.h"
#include "src/explain/page_parts.h"
#include "src/explain/scene.h"
#include "src/explain/scene_text.h"
#include "windrow/explain.h"

namespace windrow {
namespace internal {
namespace {

constexpr std::string_view kHead =
    "<!DOCTYPE html>\n<html lang=\"en\" class=\"windrow\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n";

constexpr std::string_view kSteps =
    "<p id=\"steps\" hidden><button id=\"start\" type=\"button\">Start</button> "
    "<button id=\"back\" type=\"button\">Back (p)</button> "
    "<button id=\"next\" type=\"button\" disabled>Next (n)</button> "
    "<button id=\"end\" type=\"button\" disabled>End</button> <span id=\"done\">Step through the "
    "writes: the output shows its cells after each.</span></p>\n";

std::string_view role_name(SceneRole role) {
  constexpr std::array<std::string_view, 4> kNames = {"indices", "updates", "data", "output"};
  return kNames[static_cast<std::size_t>(role)];
}

std::string cell_id(int number) { return "c" + std::to_string(number); }

std::string paragraph(std::string_view classes, std::string_view text) {
  if (text.empty()) return {};
  return joined({"<p class=\"", classes, "\">", escaped(text), "</p>\n"});
}

// The colours of a cell's groups, side by side.
std::string cell_style(const SceneCell& cell) {
  if (cell.groups.empty()) return {};
  const auto property = [&](char kind, std::size_t i) {
    return std::string("var(--") + kind + std::to_string(colour_of(cell.groups[i])) + ")";
  };
  const std::size_t count = cell.groups.size();
  if (count == 1)
    return joined({" style=\"background: ", property('g', 0), "; color: ", property('t', 0), "\""});
  std::string stops;
  for (std::size_t i = 0; i < count; ++i)
    stops += joined({", ", property('g', i), " ", std::to_string(100 * i / count), "% ",
                     std::to_string(100 * (i + 1) / count), "%"});
  return joined({" style=\"background: linear-gradient(90deg", stops,
                 "); color: var(--t0); text-shadow: 0 0 2px #fff, 0 0 3px #fff, 0 0 4px #fff\""});
}

class GridTable {
 public:
  explicit GridTable(const SceneGrid& grid) : grid_(grid) {}

  std::string html() {
    std::string html =
        joined({"<figure data-role=\"", role_name(grid_.role), "\"><figcaption><b>",
                escaped(grid_.name), "</b> <span>", escaped(grid_.type), "</span></figcaption>\n",
                paragraph("soft", grid_.left_out), "<div class=\"slices\">\n"});
    for (std::size_t s = 0; s < grid_.slices.size(); ++s) html += table(s);
    return html + "</div></figure>\n";
  }

 private:
  bool is_output() const { return grid_.role == SceneRole::kOutput; }

  std::string table(std::size_t s) {
    const SceneSlice& slice = grid_.slices[s];
    const std::string name = slice.caption.empty() ? grid_.name : slice.caption;
    std::string html = joined(
        {"<table", (is_output() ? " role=\"grid\"" : ""), " aria-label=\"", escaped(name), "\">"});
    if (!slice.caption.empty()) html += joined({"<caption>", escaped(slice.caption), "</caption>"});
    if (grid_.rank >= 1) html += column_labels();
    html += "<tbody>\n";
    for (std::size_t r = 0; r < grid_.rows.size(); ++r) html += row(s, r);
    return html + "</tbody></table>\n";
  }

  std::string column_labels() const {
    std::string html = std::string("<thead><tr>") + (grid_.rank >= 2 ? "<th></th>" : "");
    for (std::size_t c = 0; c < grid_.columns.size(); ++c) {
      if (has_gap(grid_.columns, c)) html += "<th>⋯</th>";
      html += joined({R"(<th scope="col">)", std::to_string(grid_.columns[c]), "</th>"});
    }
    return html + "</tr></thead>";
  }

  std::string row(std::size_t s, std::size_t r) {
    std::string html = has_gap(grid_.rows, r) ? "<tr><th>⋮</th></tr>\n<tr>" : "<tr>";
    if (grid_.rank >= 2)
      html += joined({"<th scope=\"row\">", std::to_string(grid_.rows[r]), "</th>"});
    for (std::size_t c = 0; c < grid_.columns.size(); ++c) {
      if (has_gap(grid_.columns, c)) html += "<td></td>";
      html += cell(s, r * grid_.columns.size() + c);
    }
    return html + "</tr>\n";
  }

  std::string cell(std::size_t s, std::size_t i) {
    const SceneCell& cell = grid_.slices[s].cells[i];
    const auto first = static_cast<std::size_t>(grid_.first_cell);
    const std::size_t number = first + s * grid_.slices[s].cells.size() + i;
    std::string classes;
    for (const MarkMeaning& mark : meanings_of(cell.marks))
      classes += (classes.empty() ? "" : " ") + mark.name;
    if (!classes.empty()) classes = joined({" class=\"", classes, "\""});
    std::string html =
        joined({"<td id=\"", cell_id(static_cast<int>(number)), "\"", classes, cell_style(cell),
                " aria-label=\"", escaped(cell_label(grid_, s, i)), "\""});
    if (is_output())
      html += joined({R"( role="gridcell" tabindex=")", (has_stop_ ? "-1" : "0"), "\""});
    has_stop_ = true;
    return joined({html, "><small><i>", letters_of(cell), "</i><b>", escaped(signs_of(cell.marks)),
                   "</b></small><span>", escaped(cell.text), "</span></td>"});
  }

  const SceneGrid& grid_;
  bool has_stop_ = false;  // a cell that the Tab key reaches
};

std::string data_attribute(std::string_view name, std::string_view value) {
  return value.empty() ? std::string()
                       : " data-" + std::string(name) + "=\"" + escaped(value) + "\"";
}

std::string point_line(const ScenePoint& point) {
  std::string read;
  for (const int cell : point.read) read += (read.empty() ? "" : " ") + cell_id(cell);
  std::string html = "<li" + data_attribute("read", read);
  if (point.source >= 0) html += data_attribute("source", cell_id(point.source));
  if (point.target >= 0) html += data_attribute("target", cell_id(point.target));
  html += data_attribute("before", point.before) + data_attribute("after", point.after);
  return joined({html, ">", escaped(point.formula), "</li>\n"});
}

std::string comparison_section(const Comparison& comparison) {
  const std::string text = to_text(comparison);
  const std::size_t line = text.find('\n');
  return joined({"<h2>", escaped(text.substr(0, line)), "</h2>\n<pre>",
                 escaped(text.substr(line + 1)), "</pre>\n"});
}

std::string body(const Scene& scene, std::span<const Comparison> comparisons) {
  std::string html =
      joined({"<header><h1>", escaped(scene.title), "</h1>\n", paragraph("soft", scene.heading),
              "<p><code>", escaped(scene.equation), "</code></p>\n</header>\n<main>\n"});
  html +=
      "<p id=\"said\" role=\"status\" aria-live=\"polite\">Point at a cell, or move through the "
      "output with the arrow keys: its index, source and formula are shown here.</p>\n";
  if (scene.scatter && !scene.points.empty()) html += kSteps;
  html += "<div class=\"tensors\">\n";
  for (const SceneGrid& grid : scene.grids) html += GridTable(grid).html();
  html += "</div>\n" + paragraph("soft", legend_of(scene));
  for (const std::string& note : scene.notes) html += paragraph("note", note);
  for (const Comparison& comparison : comparisons) html += comparison_section(comparison);
  if (!scene.points.empty()) {
    html += joined({"<h2>", (scene.scatter ? "Writes, in their order" : "Elements"),
                    "</h2>\n<ol id=\"points\">\n"});
    for (const ScenePoint& point : scene.points) html += point_line(point);
    html += "</ol>\n";
  }
  return html + "</main>\n";
}

}  // namespace
}  // namespace internal

std::string to_html(const Explanation& explanation, std::span<const Comparison> comparisons) {
  using namespace internal;
  const Scene scene = make_scene(explanation);
  return joined({kHead, "<title>", escaped(scene.title), "</title>\n<style>\n", kPalette,
                 kExplanationStyle, "</style>\n</head>\n<body>\n", body(scene, comparisons),
                 "<script>", kExplanationScript, "</script>\n</body>\n</html>\n"});
}

}  // namespace windrow
