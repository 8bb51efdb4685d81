#include "src/explain/to_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "src/explain/explain_point.h"
#include "windrow/counted.h"
#include "windrow/element.h"
#include "windrow/explain.h"
#include "windrow/printable.h"

namespace windrow::internal {

std::string element_text(const reference::Element& element) {
  if (element.dtype == DType::kString) return to_text(element.text);
  reference::Element packed = element;
  // The first of a byte's single bits is the highest.
  if (dtype_bits(element.dtype) == 1) packed.bits[0] = element.bits[0] << 7;
  return to_text(element_at(element.dtype, packed.bits.data(), 0));
}

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
  if (marks.padding) meanings.push_back({"~", "outside", "padding"});
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

namespace windrow {
namespace {

std::string axis_of(const ExplainedCoordinate& coordinate, std::size_t axis) {
  return "axis " + std::to_string(axis) + " (extent " + std::to_string(coordinate.extent) + ")";
}

const std::string& input(const Explanation& explanation, int number) {
  return explanation.inputs[static_cast<std::size_t>(number)].name;
}

std::string tensor_line(const ExplainedTensor& tensor) {
  const bool is_absent = tensor.dtype == DType::kAbsent;
  return "  " + tensor.name + ": " + (is_absent ? "left out" : internal::type_text(tensor)) + "\n";
}

std::string axis_line(const ExplainedAxis& axis) {
  return "  " + axis.name + ", extent " + std::to_string(axis.extent) + ", " + axis.sentence + "\n";
}

std::string shape_lines(const Explanation& explanation) {
  if (explanation.output_axes.empty()) return "the output is one element\n";
  std::string text = "the output's shape\n";
  for (std::size_t a = 0; a < explanation.output_axes.size(); ++a)
    text += "  axis " + std::to_string(a) + ", extent " +
            std::to_string(explanation.output_axes[a].extent) + ": " +
            explanation.output_axes[a].sentence + "\n";
  return text;
}

// Index elements of one point that are shown together, since they are neighbours in an index
// tensor.
using IndexRow = std::vector<const IndexRead*>;

bool same_row(const IndexRead& a, const IndexRead& b) {
  const int rank = a.position.rank();
  return a.input == b.input && rank > 0 &&
         std::equal(a.position.begin(), a.position.end() - 1, b.position.begin()) &&
         b.position.back() == a.position.back() + 1;
}

std::vector<IndexRow> index_rows(const ExplainedPoint& point) {
  std::vector<IndexRow> rows;
  for (const ExplainedCoordinate& coordinate : point.coordinates)
    for (const IndexRead& read : coordinate.indices) {
      if (!rows.empty() && same_row(*rows.back().back(), read))
        rows.back().push_back(&read);
      else
        rows.push_back({&read});
    }
  return rows;
}

// "indices[1] = (2, -1)", or "indices[1, 0] = 2" for a single element.
std::string row_text(const Explanation& explanation, const IndexRow& row) {
  std::string text = input(explanation, row.front()->input);
  Dims position = row.front()->position;
  if (row.size() == 1) {
    if (!position.empty()) text += to_string(position);
    return text + " = " + row.front()->stored;
  }
  Dims shared;
  shared.append(position, 0, position.rank() - 1);
  if (!shared.empty()) text += to_string(shared);
  text += " = (";
  for (const IndexRead* read : row) text += (read == row.front() ? "" : ", ") + read->stored;
  return text + ")";
}

// What became of a coordinate's indices: counted from the end, moved, dropped or illegal; empty if
// nothing did.
std::string coordinate_note(const Explanation& explanation, const ExplainedCoordinate& coordinate,
                            std::size_t axis) {
  const std::string on = axis_of(coordinate, axis);
  const std::string effect = explanation.scatter ? ", the update is dropped"
                             : explanation.folds ? ", nothing is added"
                                                 : ", the element is zero";
  std::string text;
  for (const IndexRead& read : coordinate.indices) {
    if (read.padding) return "; " + read.stored + " is padding" + effect;
    if (!read.legal)
      text += "; " + read.stored + " is outside of the legal range on " + on + ", the call fails";
    else if (read.stored != std::to_string(read.counted))
      text += "; " + read.stored + " counts as " + std::to_string(read.counted) + " on " + on;
  }
  const std::string sum = std::to_string(coordinate.sum);
  if (coordinate.placing == Placing::kClamped)
    text += "; " + sum + " is outside of " + on + ", the nearest valid coordinate is " +
            std::to_string(*coordinate.value);
  else if (coordinate.placing == Placing::kWrapped && sum != std::to_string(*coordinate.value))
    text += "; " + sum + " modulo " + std::to_string(coordinate.extent) + " is " +
            std::to_string(*coordinate.value) + " on " + on;
  else if (coordinate.placing == Placing::kOutside)
    text += "; " + sum + " is outside of " + on + effect;
  return text;
}

std::string reasons(const Explanation& explanation, const ExplainedPoint& point) {
  std::string text;
  for (const IndexRow& row : index_rows(point))
    text += (text.empty() ? ": " : ", ") + row_text(explanation, row);
  std::string notes;
  for (std::size_t axis = 0; axis < point.coordinates.size(); ++axis)
    notes += coordinate_note(explanation, point.coordinates[axis], axis);
  return text + notes;
}

// "(10 - 8) * 0.5": what a code becomes a number by.
std::string number_text(const ExplainedPoint& walk) {
  if (walk.zero_point.empty()) return walk.code + " * " + walk.scale;
  return "(" + walk.code + " - " + walk.zero_point + ") * " + walk.scale;
}

std::string with_value(const std::string& name, const std::string& value) {
  return value.empty() ? name : name + " = " + value;
}

// The writes before and after this one in the same cell.
std::string collision_text(const Explanation& explanation, const ExplainedWrite& write) {
  std::string text;
  if (write.earlier) text += "; the cell was written before, by " + std::to_string(*write.earlier);
  if (write.later)
    text +=
        (explanation.folds ? "; followed by " : "; replaced by ") + std::to_string(*write.later);
  return text;
}

std::string cell_line(const Explanation& explanation, const ExplainedCell& cell) {
  return "  " + with_value(explanation.output.name + to_string(cell.cell), cell.result) + ": " +
         counted(cell.writes, "write") + "\n";
}

std::string head(const Explanation& explanation) {
  std::string text = explanation.operator_name + "\n";
  for (const ExplainedTensor& input : explanation.inputs) {
    text += tensor_line(input);
    if (!input.has_values) text.insert(text.size() - 1, ", values not known");
  }
  text += tensor_line(explanation.output) + "\n" + explanation.equation + "\n";
  for (const ExplainedAxis& axis : explanation.axes) text += axis_line(axis);
  text += shape_lines(explanation);
  if (!explanation.numpy.empty()) text += "in NumPy: " + explanation.numpy + "\n";
  return text + "\n";
}

std::string counts(const Explanation& explanation) {
  const std::int64_t shown =
      explanation.scatter ? std::ssize(explanation.writes) : std::ssize(explanation.walks);
  const char* const what = explanation.scatter ? "update" : "element";
  std::string text = std::to_string(shown) + " of " + counted(explanation.points, what) + " shown";
  if (explanation.scatter && explanation.searched < explanation.points)
    text += "; collisions are known among the first " + std::to_string(explanation.searched) +
            " updates only";
  return text + "\n";
}

}  // namespace

std::string_view axis_origin_name(AxisOrigin origin) noexcept {
  constexpr std::array<std::string_view, 4> kNames = {"batch", "index", "slice", "repeat"};
  return kNames[static_cast<std::size_t>(origin)];
}

std::string_view placing_name(Placing placing) noexcept {
  constexpr std::array<std::string_view, 5> kNames = {"inside", "clamped", "wrapped", "outside",
                                                      "illegal"};
  return kNames[static_cast<std::size_t>(placing)];
}

namespace internal {

std::string walk_text(const Explanation& explanation, const ExplainedPoint& walk) {
  std::string text = explanation.output.name + to_string(walk.direct);
  if (walk.cell)
    text += (explanation.folds ? " += " : " = ") + input(explanation, explanation.indirect_input) +
            to_string(*walk.cell);
  // A sample has the position of its index.
  if (walk.cell && explanation.weights_input >= 0)
    text += " * " + input(explanation, explanation.weights_input) +
            to_string(walk.coordinates.front().indices.front().position);
  if (!walk.code.empty()) text += " = " + walk.code + " -> " + number_text(walk);
  return with_value(text, walk.value) + reasons(explanation, walk);
}

std::string write_text(const Explanation& explanation, const ExplainedWrite& write) {
  const std::string update =
      input(explanation, explanation.updates_input) + to_string(write.point.direct);
  std::string text =
      std::to_string(write.point.number) + ": " + with_value(update, write.point.value);
  if (write.point.cell)
    text += " goes to " + explanation.output.name + to_string(*write.point.cell);
  if (!write.after.empty()) text += ", " + write.before + " becomes " + write.after;
  return text + reasons(explanation, write.point) + collision_text(explanation, write);
}

}  // namespace internal

std::string to_text(const Explanation& explanation) {
  std::string text = head(explanation);
  for (const ExplainedPoint& walk : explanation.walks)
    text += "  " + internal::walk_text(explanation, walk) + "\n";
  for (const ExplainedWrite& write : explanation.writes)
    text += "  " + internal::write_text(explanation, write) + "\n";
  if (!explanation.cells.empty()) text += "\n";
  for (const ExplainedCell& cell : explanation.cells) text += cell_line(explanation, cell);
  text += counts(explanation);
  if (!explanation.failure.empty()) text += "the call fails: " + explanation.failure + "\n";
  return text;
}

}  // namespace windrow
