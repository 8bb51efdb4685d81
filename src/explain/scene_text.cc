#include "src/explain/scene_text.h"

#include <cstddef>
#include <vector>

#include "windrow/printable.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kMostCharacters = 9;  // of a cell's text

std::string list_text(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) {
    if (text.size() > 40) return "[" + text + ", ..]";
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  }
  return "[" + text + "]";
}

std::string value_text(const AttributeValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value))
    return text->size() > 40 ? ".." : printable(*text);
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value)) return list_text(*list);
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  return "..";
}

}  // namespace

std::string shortened(const std::string& text) {
  std::size_t characters = 0;
  std::size_t cut = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) continue;
    if (++characters == kMostCharacters) cut = at;
    if (characters > kMostCharacters) return text.substr(0, cut) + "…";
  }
  return text;
}

std::string attribute_text(const std::string& name, const AttributeValue& value) {
  return printable(name) + "=" + value_text(value);
}

std::string type_text(const ExplainedTensor& tensor) {
  return std::string(dtype_name(tensor.dtype)) + " " + to_string(tensor.shape);
}

std::string group_letters(int group) {
  std::string letters;
  for (int rest = group; rest >= 0; rest = rest / 26 - 1)
    letters.insert(letters.begin(), static_cast<char>('a' + rest % 26));
  return letters;
}

std::string letters_of(const SceneCell& cell) {
  std::string letters;
  for (const int group : cell.groups)
    letters += (letters.empty() ? "" : " ") + group_letters(group);
  return cell.more_groups ? letters + " +" : letters;
}

Dims cell_position(const SceneGrid& grid, std::size_t slice, std::size_t cell) {
  Dims position = grid.outer[slice];
  if (grid.rank >= 2) position.push_back(grid.rows[cell / grid.columns.size()]);
  if (grid.rank >= 1) position.push_back(grid.columns[cell % grid.columns.size()]);
  return position;
}

bool has_gap(const std::vector<std::int64_t>& positions, std::size_t i) {
  return positions[i] != (i == 0 ? 0 : positions[i - 1] + 1);
}

std::vector<MarkMeaning> meanings_of(const SceneMarks& marks) {
  std::vector<MarkMeaning> meanings;
  if (marks.negative) meanings.push_back({"<", "negative", "negative"});
  if (marks.out_of_range) meanings.push_back({"!", "outside", "out of range"});
  if (marks.duplicate) meanings.push_back({"*", "duplicate", "written more than once"});
  return meanings;
}

std::string signs_of(const SceneMarks& marks) {
  std::string signs;
  for (const MarkMeaning& mark : meanings_of(marks)) signs += " " + mark.sign;
  return signs;
}

std::string legend_of(const Scene& scene) {
  std::string text;
  if (scene.has_groups)
    text = scene.scatter ? "The same letter stands at an index, at its update and at its target."
                         : "The same letter stands at an index, at its source and at its target.";
  for (const MarkMeaning& mark : meanings_of(scene.marks))
    text += (text.empty() ? "" : " ") + mark.sign + " " + mark.meaning + ".";
  return text;
}

std::string cell_label(const SceneGrid& grid, std::size_t slice, std::size_t cell) {
  const SceneCell& at = grid.slices[slice].cells[cell];
  std::string label = grid.name;
  if (grid.rank > 0) label += to_string(cell_position(grid, slice, cell));
  if (!at.text.empty()) label += " = " + at.text;
  if (!at.groups.empty())
    label += (at.groups.size() == 1 ? ", group " : ", groups ") + letters_of(at);
  for (const MarkMeaning& mark : meanings_of(at.marks)) label += ", " + mark.meaning;
  return label;
}

}  // namespace windrow::internal
