#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "src/explain/scene.h"
#include "src/explain/to_html.h"
#include "src/explain/to_text.h"
#include "windrow/explain.h"

namespace windrow {
namespace internal {
namespace {

// Lengths in pixels.
constexpr int kWidth = 760;  // the picture's, if no slice is wider
constexpr int kMargin = 16;
constexpr int kCellHeight = 32;
constexpr int kCharacter = 8;  // the width of a character in a cell
constexpr int kGap = 14;       // between cells where positions are left out
constexpr int kLabel = 16;     // the height of a line of labels
constexpr int kLine = 18;      // the height of a line of text
constexpr std::size_t kMostInLine = 100;

constexpr std::string_view kStyle = R"css(
.windrow .page { fill: var(--page); }
svg.windrow { font: 13px ui-monospace, monospace; }
.windrow text { fill: var(--text); }
.windrow .title { font: bold 16px system-ui, sans-serif; }
.windrow .name { font: bold 13px system-ui, sans-serif; }
.windrow .soft { fill: var(--soft); font: 12px system-ui, sans-serif; }
.windrow .axis { fill: var(--soft); font-size: 11px; text-anchor: middle; }
.windrow .value { text-anchor: middle; }
.windrow .letter { font-size: 10px; }
.windrow .sign { font-size: 11px; font-weight: bold; text-anchor: end; }
.windrow .halo { paint-order: stroke; stroke: #fff; stroke-width: 3px; stroke-linejoin: round; }
.windrow .frame { fill: none; stroke: var(--line); }
.windrow .plain { fill: var(--card); }
.windrow .negative { stroke: var(--text); stroke-width: 2; stroke-dasharray: 1 3; }
.windrow .duplicate { stroke: var(--text); stroke-width: 3; }
.windrow .outside { stroke: var(--text); stroke-width: 2; stroke-dasharray: 6 3; }
)css";

std::string attribute(std::string_view name, int value) {
  return joined({" ", name, "=\"", std::to_string(value), "\""});
}

std::string text_at(int x, int y, std::string_view classes, std::string_view text) {
  return joined({"<text", attribute("x", x), attribute("y", y), " class=\"", classes, "\">",
                 escaped(text), "</text>\n"});
}

std::string rectangle(int x, int y, int width, int height, std::string_view classes) {
  return joined({"<rect", attribute("x", x), attribute("y", y), attribute("width", width),
                 attribute("height", height), " class=\"", classes, "\"/>"});
}

// The offsets at which the positions of an axis begin, and the total length.
struct Track {
  std::vector<int> starts;
  int length = 0;
};

Track make_track(const std::vector<std::int64_t>& positions, std::int64_t extent, int size) {
  Track track;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    if (has_gap(positions, i)) track.length += kGap;
    track.starts.push_back(track.length);
    track.length += size;
  }
  const std::int64_t end = positions.empty() ? 0 : positions.back() + 1;
  if (end < extent && extent > 1) track.length += kGap;
  return track;
}

struct Size {
  int width = 0;
  int height = 0;
};

// The drawing of a tensor: a heading, and slices from left to right, wrapped to several lines.
class GridDrawing {
 public:
  explicit GridDrawing(const SceneGrid& grid) : grid_(grid) {
    std::size_t characters = 2;
    for (const SceneSlice& slice : grid.slices)
      for (const SceneCell& cell : slice.cells)
        characters = std::max({characters, character_count(cell.text),
                               (letters_of(cell).size() + signs_of(cell.marks).size()) * 4 / 5});
    for (const std::int64_t column : grid.columns)
      characters = std::max(characters, std::to_string(column).size());
    cell_width_ = static_cast<int>(characters) * kCharacter + 14;
    columns_ = make_track(grid.columns, grid.column_extent, cell_width_);
    rows_ = make_track(grid.rows, grid.row_extent, kCellHeight);
    std::size_t digits = 0;
    if (grid.rank >= 2 && !grid.rows.empty()) digits = std::to_string(grid.rows.back()).size();
    row_labels_ = static_cast<int>(digits) * 7 + (digits > 0 ? 8 : 0);
    std::size_t caption = 0;
    for (const SceneSlice& slice : grid.slices) caption = std::max(caption, slice.caption.size());
    slice_ = {row_labels_ + std::max(columns_.length, static_cast<int>(caption) * 7),
              (caption_height() + kLabel + rows_.length)};
    const int room = kWidth - 2 * kMargin;
    per_line_ = std::max(1, (room + kMargin) / (std::max(slice_.width, 1) + kMargin));
    lay_out();
  }

  const Size& size() const { return size_; }

  std::string draw(int x, int y) const {
    std::string svg =
        joined({"<text", attribute("x", x), attribute("y", y + 13), "><tspan class=\"name\">",
                escaped(grid_.name), R"(</tspan><tspan class="soft" dx="8">)", escaped(grid_.type),
                "</tspan></text>\n"});
    int line = y + kLine;
    for (const std::string& words : left_out_) {
      svg += text_at(x, line + 12, "soft", words);
      line += kLine;
    }
    for (std::size_t s = 0; s < grid_.slices.size(); ++s) {
      const int at = static_cast<int>(s);
      svg += draw_slice(s, x + at % per_line_ * (slice_.width + kMargin),
                        line + at / per_line_ * (slice_.height + kMargin));
    }
    return svg;
  }

 private:
  int caption_height() const { return grid_.rank > 2 ? kLine : 0; }

  void lay_out() {
    const int count = static_cast<int>(grid_.slices.size());
    const int across = std::min(count, per_line_);
    const int heading =
        static_cast<int>(grid_.name.size()) * 8 + 8 + static_cast<int>(grid_.type.size()) * 7;
    size_.width = std::max(across * (slice_.width + kMargin) - kMargin, heading);
    if (!grid_.left_out.empty()) {
      size_.width = std::max(size_.width, 240);
      left_out_ = wrapped(grid_.left_out, static_cast<std::size_t>(size_.width) * 10 / 65);
    }
    const int down = (count + per_line_ - 1) / per_line_;
    size_.height =
        kLine + static_cast<int>(left_out_.size()) * kLine + down * (slice_.height + kMargin);
  }

  std::string draw_slice(std::size_t s, int x, int y) const {
    std::string svg;
    const SceneSlice& slice = grid_.slices[s];
    if (!slice.caption.empty()) svg += text_at(x + row_labels_, y + 12, "soft", slice.caption);
    const int top = y + caption_height() + kLabel;
    const int left = x + row_labels_;
    for (std::size_t c = 0; c < grid_.columns.size() && grid_.rank >= 1; ++c)
      svg += text_at(left + columns_.starts[c] + cell_width_ / 2, top - 4, "axis",
                     std::to_string(grid_.columns[c]));
    for (std::size_t r = 0; r < grid_.rows.size() && grid_.rank >= 2; ++r)
      svg += text_at(x + row_labels_ / 2 - 2, top + rows_.starts[r] + 21, "axis",
                     std::to_string(grid_.rows[r]));
    for (std::size_t i = 0; i < slice.cells.size(); ++i)
      svg += draw_cell(s, i, left + columns_.starts[i % grid_.columns.size()],
                       top + rows_.starts[i / grid_.columns.size()]);
    return svg;
  }

  std::string draw_cell(std::size_t s, std::size_t i, int x, int y) const {
    const SceneCell& cell = grid_.slices[s].cells[i];
    const int count = static_cast<int>(cell.groups.size());
    std::string svg = joined({"<g><title>", escaped(cell_label(grid_, s, i)), "</title>"});
    if (count == 0) svg += rectangle(x, y, cell_width_, kCellHeight, "plain");
    for (int g = 0; g < count; ++g) {
      const int from = cell_width_ * g / count;
      svg += rectangle(x + from, y, cell_width_ * (g + 1) / count - from, kCellHeight,
                       "g" + std::to_string(colour_of(cell.groups[static_cast<std::size_t>(g)])));
    }
    svg += rectangle(x, y, cell_width_, kCellHeight, "frame");
    int inset = 2;
    for (const MarkMeaning& mark : meanings_of(cell.marks)) {
      svg += rectangle(x + inset, y + inset, cell_width_ - 2 * inset, kCellHeight - 2 * inset,
                       "frame " + mark.name);
      inset += 3;
    }
    const std::string ink = count == 1 ? " t" + std::to_string(colour_of(cell.groups.front()))
                                       : std::string(count > 1 ? " t0 halo" : "");
    if (count > 0) svg += text_at(x + 5, y + 12, "letter" + ink, letters_of(cell));
    const std::string signs = signs_of(cell.marks);
    if (!signs.empty()) svg += text_at(x + cell_width_ - 5, y + 12, "sign" + ink, signs);
    if (!cell.text.empty()) svg += text_at(x + cell_width_ / 2, y + 25, "value" + ink, cell.text);
    return svg + "</g>\n";
  }

  const SceneGrid& grid_;
  int cell_width_ = 0;
  int row_labels_ = 0;  // the width of the rows' labels
  int per_line_ = 1;    // slices side by side
  Track columns_;
  Track rows_;
  Size slice_;
  Size size_;
  std::vector<std::string> left_out_;
};

class Picture {
 public:
  explicit Picture(const Scene& scene) : scene_(scene) {}

  std::string svg() {
    line("title", scene_.title, 22);
    paragraph("soft", scene_.heading);
    paragraph("equation", scene_.equation);
    y_ += 10;
    add_grids();
    paragraph("soft", legend_of(scene_));
    for (const std::string& note : scene_.notes) paragraph("soft", note);
    return document();
  }

 private:
  void line(std::string_view classes, std::string_view text, int height) {
    body_ += text_at(kMargin, y_ + height - 5, classes, text);
    y_ += height;
    width_ = std::max(width_, 2 * kMargin + static_cast<int>(character_count(text)) * 7);
  }

  void paragraph(std::string_view classes, std::string_view text) {
    if (text.empty()) return;
    for (const std::string& words : wrapped(text, kMostInLine)) line(classes, words, kLine);
  }

  // Adds the grids from left to right, as many in a line as fit.
  void add_grids() {
    int x = kMargin;
    int height = 0;
    for (const SceneGrid& grid : scene_.grids) {
      const GridDrawing drawing(grid);
      if (x > kMargin && x + drawing.size().width > kWidth - kMargin) {
        x = kMargin;
        y_ += height;
        height = 0;
      }
      body_ += drawing.draw(x, y_);
      x += drawing.size().width + 2 * kMargin;
      width_ = std::max(width_, x - kMargin);
      height = std::max(height, drawing.size().height);
    }
    y_ += height;
  }

  std::string document() const {
    std::string style = std::string(kPalette) + std::string(kStyle);
    for (int i = 0; i < kGroupColours; ++i) {
      const std::string n = std::to_string(i);
      style += joined({".windrow .g", n, " { fill: var(--g", n, "); }\n.windrow .t", n,
                       " { fill: var(--t", n, "); }\n"});
    }
    std::string points;
    for (const ScenePoint& point : scene_.points) points += point.formula + "\n";
    const int height = y_ + kMargin;
    return joined({R"(<svg xmlns="http://www.w3.org/2000/svg" class="windrow" role="img")",
                   attribute("width", width_), attribute("height", height), " viewBox=\"0 0 ",
                   std::to_string(width_), " ", std::to_string(height), "\">\n<title>",
                   escaped(scene_.title + ": " + scene_.equation), "</title>\n<desc>",
                   escaped(points), "</desc>\n<style>\n", style, "</style>\n",
                   rectangle(0, 0, width_, height, "page"), "\n", body_, "</svg>\n"});
  }

  const Scene& scene_;
  std::string body_;
  int width_ = 0;
  int y_ = kMargin;
};

}  // namespace
}  // namespace internal

std::string to_svg(const Explanation& explanation) {
  const internal::Scene scene = internal::make_scene(explanation);
  return internal::Picture(scene).svg();
}

}  // namespace windrow
