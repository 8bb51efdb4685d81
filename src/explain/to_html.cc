#include "src/explain/to_html.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "src/explain/scene.h"
#include "src/explain/to_text.h"
#include "windrow/explain.h"

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

const std::string_view kExplanationStyle = R"css(
body { margin: 0 auto; padding: 1rem; max-width: 80rem; background: var(--page); color: var(--text);
font: 0.95rem/1.45 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.4rem; overflow-wrap: anywhere; }
h2 { margin: 1.5rem 0 0.25rem; font-size: 1.05rem; }
p { margin: 0.25rem 0; }
.soft, figcaption span, caption, th { color: var(--soft); }
pre { margin: 0.25rem 0; white-space: pre-wrap; }
code, pre, td, li { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
.tensors, .slices { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; align-items: flex-start; }
figure { margin: 0.75rem 0 0; max-width: 100%; }
.slices { overflow-x: auto; padding: 2px 0.75rem 1rem 2px; gap: 0.75rem 1.25rem; }
table { border-collapse: separate; border-spacing: 2px; }
caption, th, figcaption span { font-size: 0.8rem; font-weight: normal; text-align: center; }
caption { text-align: left; white-space: nowrap; }
td[id] { position: relative; min-width: 2.1rem; height: 2.1rem; box-sizing: border-box; padding: 0 0.25rem 0.1rem;
border: 1px solid var(--line); border-radius: 3px; background: var(--card); text-align: center; font-size: 0.85rem;
white-space: nowrap; overflow-wrap: normal; }
small { display: flex; justify-content: space-between; gap: 0.4em; height: 1.2em; font-size: 0.65rem; line-height: 1.2; }
small i { font-style: normal; }
.negative span { text-decoration: underline dotted; }
.outside { outline: 2px dashed var(--text); }
td span { display: block; min-height: 1.4em; }
td.duplicate { padding: 3px 0.4rem; box-shadow: inset 0 0 0 1px var(--page), inset 0 0 0 3px var(--text); }
td.waiting { background: var(--card) !important; color: var(--text) !important; }
.waiting small { visibility: hidden; }
td.read, td.source, td.target, td:focus { outline: 3px solid var(--focus); outline-offset: 0; z-index: 1; }
td.read::after, td.source::after, td.target::after { position: absolute; left: -1px; top: 100%; z-index: 2;
padding: 0 3px; background: var(--focus); color: var(--page); font: bold 0.65rem/1.3 system-ui, sans-serif; }
td.read::after { content: "index"; }
td.source::after { content: "source"; }
td.target::after { content: "target"; }
#said { position: sticky; top: 0; z-index: 3; height: 4.5em; margin: 0.75rem 0; padding: 0.4rem 0.75rem;
background: var(--card); border: 1px solid var(--line); border-radius: 4px; font-family: ui-monospace, monospace;
font-size: 0.85rem; white-space: pre-line; overflow-wrap: anywhere; overflow-y: auto; }
@media (max-width: 40rem) { #said { height: 7.5em; } }
button { font: inherit; padding: 0.2rem 0.7rem; color: var(--text); background: var(--card); border: 1px solid var(--line);
border-radius: 4px; }
button:disabled { opacity: 0.5; }
#done { display: inline-block; }
#points { padding-left: 0; list-style: none; font-size: 0.85rem; }
#points li { padding: 0.1rem 0.4rem; border-left: 3px solid transparent; }
#points .on { border-color: var(--focus); background: var(--card); }
)css";

const std::string_view kExplanationScript = R"js(
'use strict';
const byId = id => document.getElementById(id);
const said = byId('said'), steps = byId('steps');
const output = [...document.querySelectorAll('[data-role=output] td[id]')];
const points = [...document.querySelectorAll('#points li')].map(line => ({
  line, read: (line.dataset.read || '').split(' ').filter(id => id),
  source: line.dataset.source, target: line.dataset.target,
  before: line.dataset.before, after: line.dataset.after}));
const ofCell = {};
for (const point of points)
  for (const id of new Set([...point.read, point.source, point.target]))
    if (id) (ofCell[id] = ofCell[id] || []).push(point);

function show(chosen, otherwise) {
  for (const cell of document.querySelectorAll('td.read, td.source, td.target'))
    cell.classList.remove('read', 'source', 'target');
  for (const point of points) point.line.classList.toggle('on', chosen.includes(point));
  for (const point of chosen) {
    for (const id of point.read) byId(id).classList.add('read');
    if (point.source) byId(point.source).classList.add('source');
    if (point.target) byId(point.target).classList.add('target');
  }
  said.textContent = chosen.length ? chosen.map(point => point.line.textContent).join('\n') : otherwise;
}
function showCell(cell) {
  show(ofCell[cell.id] || [], cell.getAttribute('aria-label') + ': no point that is followed here.');
}
for (const cell of document.querySelectorAll('td[id]')) {
  cell.addEventListener('mouseenter', () => showCell(cell));
  cell.addEventListener('focus', () => {
    for (const other of output) other.tabIndex = other === cell ? 0 : -1;
    showCell(cell);
  });
}
for (const point of points) point.line.addEventListener('mouseenter', () => show([point]));

const moves = {ArrowRight: () => 1, ArrowLeft: () => -1, ArrowDown: row => row, ArrowUp: row => -row};
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const at = output.indexOf(document.activeElement);
  if (moves[event.key] && at >= 0) {
    const row = output[at].parentNode.querySelectorAll('td[id]').length;
    const next = output[at + moves[event.key](row)];
    if (next) next.focus();
    event.preventDefault();
  }
  if (steps && event.key === 'n') step(done + 1);
  if (steps && event.key === 'p') step(done - 1);
});

let done = points.length;
const text = id => byId(id).querySelector('span');
const last = {}, first = {};
for (const {target, before} of points)
  if (target && !(target in first)) {
    first[target] = before;
    last[target] = text(target).textContent;
  }
function step(count) {
  if (count < 0 || count > points.length) return;
  done = count;
  for (const id in first) {
    text(id).textContent = first[id];
    byId(id).classList.add('waiting');
  }
  for (const {target, after} of points.slice(0, done))
    if (target) {
      text(target).textContent = after;
      byId(target).classList.remove('waiting');
    }
  if (done === points.length) for (const id in last) text(id).textContent = last[id];
  byId('back').disabled = byId('start').disabled = done === 0;
  byId('next').disabled = byId('end').disabled = done === points.length;
  byId('done').textContent = done + ' of ' + points.length + ' writes done';
  show(done ? [points[done - 1]] : [], 'Before the first write.');
}
if (steps) {
  steps.hidden = false;
  byId('start').onclick = () => step(0);
  byId('back').onclick = () => step(done - 1);
  byId('next').onclick = () => step(done + 1);
  byId('end').onclick = () => step(points.length);
}
)js";

}  // namespace windrow::internal

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
