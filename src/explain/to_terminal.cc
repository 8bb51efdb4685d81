#include <algorithm>
#include <array>
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

// The groups' colours on terminals with 256 colours: background and text.
constexpr std::array<std::string_view, kGroupColours> kPaints = {
    "\x1b[48;5;179;38;5;16m", "\x1b[48;5;117;38;5;16m", "\x1b[48;5;72;38;5;16m",
    "\x1b[48;5;228;38;5;16m", "\x1b[48;5;25;38;5;231m", "\x1b[48;5;173;38;5;16m",
    "\x1b[48;5;182;38;5;16m"};
constexpr std::string_view kBold = "\x1b[1m";
constexpr std::string_view kPlain = "\x1b[0m";
constexpr std::size_t kBetween = 3;  // blanks between blocks

std::string blanks(std::size_t count) { return std::string(count, ' '); }

// The text at the right end of `width` characters.
std::string right(std::string_view text, std::size_t width) {
  const std::size_t length = character_count(text);
  return blanks(width - std::min(width, length)) + std::string(text);
}

// Lines of the same width, which are printed beside other blocks.
struct Block {
  std::size_t width = 0;
  std::vector<std::string> lines;
};

class GridBlocks {
 public:
  GridBlocks(const SceneGrid& grid, const TerminalOptions& options)
      : grid_(grid), options_(options), room_(static_cast<std::size_t>(options.width)) {
    for (const SceneSlice& slice : grid.slices)
      for (const SceneCell& cell : slice.cells)
        cell_ = std::max(cell_, character_count(plain_text(cell)));
    for (const std::int64_t column : grid.columns)
      cell_ = std::max(cell_, std::to_string(column).size() + 1);
    if (grid.rank >= 2 && !grid.rows.empty()) label_ = std::to_string(grid.rows.back()).size() + 2;
  }

  // The slices from left to right, wrapped to several lines; a slice that is too wide is cut into
  // parts of its columns.
  std::string lines() const {
    std::vector<Block> blocks;
    for (const SceneSlice& slice : grid_.slices)
      for (std::size_t from = 0; from < grid_.columns.size();) {
        const std::size_t end = end_of_part(from);
        blocks.push_back(block(slice, from, end));
        from = end;
      }
    std::string text;
    for (std::size_t from = 0; from < blocks.size();) {
      std::size_t end = from + 1;
      std::size_t width = blocks[from].width;
      while (end < blocks.size() && width + kBetween + blocks[end].width <= room_)
        width += kBetween + blocks[end++].width;
      text += side_by_side(blocks, from, end);
      from = end;
    }
    return text;
  }

 private:
  static std::string plain_text(const SceneCell& cell) {
    const std::string letters = letters_of(cell);
    const std::string text = cell.text.empty() ? "." : cell.text;
    return (letters.empty() ? "" : letters + " ") + text + signs_of(cell.marks);
  }

  std::size_t column_width(std::size_t c) const {
    return 1 + cell_ + (has_gap(grid_.columns, c) ? 3 : 0);
  }

  std::size_t end_of_part(std::size_t from) const {
    std::size_t end = from;
    std::size_t width = label_;
    while (end < grid_.columns.size() && (end == from || width + column_width(end) <= room_))
      width += column_width(end++);
    return end;
  }

  std::string painted(const SceneCell& cell) const {
    std::string text = right(plain_text(cell), cell_);
    if (!options_.colour || cell.groups.empty()) return text;
    const auto colour = static_cast<std::size_t>(colour_of(cell.groups.front()));
    return joined({kPaints[colour], text, kPlain});
  }

  Block block(const SceneSlice& slice, std::size_t from, std::size_t end) const {
    Block block;
    block.width = label_;
    for (std::size_t c = from; c < end; ++c) block.width += column_width(c);
    if (!slice.caption.empty()) {
      block.width = std::max(block.width, slice.caption.size());
      block.lines.push_back(slice.caption + blanks(block.width - slice.caption.size()));
    }
    if (grid_.rank >= 1) {
      std::string line = blanks(label_);
      for (std::size_t c = from; c < end; ++c)
        line += (has_gap(grid_.columns, c) ? " .. " : " ") +
                right(std::to_string(grid_.columns[c]) + ":", cell_);
      block.lines.push_back(filled(line, line.size(), block.width));
    }
    for (std::size_t r = 0; r < grid_.rows.size(); ++r) add_row(slice, r, from, end, block);
    return block;
  }

  static std::string filled(const std::string& line, std::size_t length, std::size_t width) {
    return line + blanks(width - std::min(width, length));
  }

  void add_row(const SceneSlice& slice, std::size_t r, std::size_t from, std::size_t end,
               Block& block) const {
    if (has_gap(grid_.rows, r)) block.lines.push_back(filled("..", 2, block.width));
    std::string line =
        label_ == 0 ? "" : right(std::to_string(grid_.rows[r]) + ":", label_ - 1) + " ";
    std::size_t length = label_;
    for (std::size_t c = from; c < end; ++c) {
      line += (has_gap(grid_.columns, c) ? "    " : " ") +
              painted(slice.cells[r * grid_.columns.size() + c]);
      length += column_width(c);
    }
    block.lines.push_back(filled(line, length, block.width));
  }

  static std::string side_by_side(const std::vector<Block>& blocks, std::size_t from,
                                  std::size_t end) {
    std::string text;
    for (std::size_t i = 0; i < blocks[from].lines.size(); ++i) {
      std::string line;
      for (std::size_t b = from; b < end; ++b)
        line += (b == from ? "" : blanks(kBetween)) + blocks[b].lines[i];
      const std::size_t last = line.find_last_not_of(' ');
      text += line.substr(0, last == std::string::npos ? 0 : last + 1) + "\n";
    }
    return text;
  }

  const SceneGrid& grid_;
  const TerminalOptions& options_;
  std::size_t room_;
  std::size_t cell_ = 1;   // characters of a cell
  std::size_t label_ = 0;  // characters of a row's label and a blank
};

}  // namespace
}  // namespace internal

std::string to_terminal(const Explanation& explanation, const TerminalOptions& options) {
  using namespace internal;
  const Scene scene = make_scene(explanation);
  TerminalOptions bounded = options;
  bounded.width = std::max(options.width, 20);
  std::string text;
  const auto add_lines = [&](std::string_view words) {
    if (words.empty()) return;
    for (const std::string& line : wrapped(words, static_cast<std::size_t>(bounded.width)))
      text += line + "\n";
  };
  for (const SceneGrid& grid : scene.grids) {
    const std::string name =
        options.colour ? std::string(kBold) + grid.name + std::string(kPlain) : grid.name;
    text += joined({name, "  ", grid.type, "\n"});
    add_lines(grid.left_out);
    text += GridBlocks(grid, bounded).lines() + "\n";
  }
  add_lines(legend_of(scene));
  for (const std::string& note : scene.notes) add_lines(note);
  return text;
}

}  // namespace windrow
