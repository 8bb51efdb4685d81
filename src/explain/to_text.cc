#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "src/explain/point_text.h"
#include "windrow/explain.h"

namespace windrow {
namespace {

std::string axis_of(const ExplainedCoordinate& coordinate, std::size_t axis) {
  return "axis " + std::to_string(axis) + " (extent " + std::to_string(coordinate.extent) + ")";
}

std::string tensor_line(const ExplainedTensor& tensor) {
  if (tensor.dtype == DType::kAbsent) return "  " + tensor.name + ": left out\n";
  return "  " + tensor.name + ": " + std::string(dtype_name(tensor.dtype)) + " " +
         to_string(tensor.shape) + "\n";
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

// Index reads of one point that are shown together: elements of one row of an index tensor.
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
  std::string text = explanation.inputs[static_cast<std::size_t>(row.front()->input)].name;
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

// What one coordinate adds to a walk beyond the numbers that were read; empty if it adds nothing.
std::string coordinate_note(const Explanation& explanation, const ExplainedCoordinate& coordinate,
                            std::size_t axis) {
  const std::string on = axis_of(coordinate, axis);
  std::string text;
  for (const IndexRead& read : coordinate.indices) {
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
    text += "; " + sum + " is outside of " + on +
            (explanation.scatter ? ", the update is dropped" : ", the element is zero");
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

std::string with_value(const std::string& name, const std::string& value) {
  return value.empty() ? name : name + " = " + value;
}

std::string walk_line(const Explanation& explanation, const ExplainedPoint& point) {
  const std::string element = explanation.output.name + to_string(point.direct);
  const std::string& data =
      explanation.inputs[static_cast<std::size_t>(explanation.indirect_input)].name;
  const std::string source = point.cell ? element + " = " + data + to_string(*point.cell) : element;
  return "  " + with_value(source, point.value) + reasons(explanation, point) + "\n";
}

// Which other writes meet this one in its cell.
std::string collision_text(const Explanation& explanation, const ExplainedWrite& write) {
  std::string text;
  if (write.earlier) text += "; the cell was written before, by " + std::to_string(*write.earlier);
  if (write.later)
    text +=
        (explanation.folds ? "; followed by " : "; replaced by ") + std::to_string(*write.later);
  return text;
}

std::string write_line(const Explanation& explanation, const ExplainedWrite& write) {
  const std::string& updates =
      explanation.inputs[static_cast<std::size_t>(explanation.updates_input)].name;
  const std::string update = with_value(updates + to_string(write.point.direct), write.point.value);
  std::string text = "  " + std::to_string(write.point.number) + ": " + update;
  if (write.point.cell)
    text += " goes to " + explanation.output.name + to_string(*write.point.cell);
  if (!write.after.empty()) text += ", " + write.before + " becomes " + write.after;
  return text + reasons(explanation, write.point) + collision_text(explanation, write) + "\n";
}

std::string cell_line(const Explanation& explanation, const ExplainedCell& cell) {
  const bool one = cell.writes == 1;
  return "  " + with_value(explanation.output.name + to_string(cell.cell), cell.result) + ": " +
         std::to_string(cell.writes) + (one ? " write\n" : " writes\n");
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
  std::string text = std::to_string(shown) + " of " + std::to_string(explanation.points) +
                     (explanation.scatter ? " update" : " element") +
                     (explanation.points == 1 ? " shown" : "s shown");
  if (explanation.scatter && explanation.searched < explanation.points)
    text += "; collisions are known among the first " + std::to_string(explanation.searched) +
            " updates only";
  return text + "\n";
}

// Without the margin and the line feed.
std::string bare(const std::string& line) { return line.substr(2, line.size() - 3); }

}  // namespace

std::string_view axis_origin_name(AxisOrigin origin) noexcept {
  switch (origin) {
    case AxisOrigin::kBatch:
      return "batch";
    case AxisOrigin::kIndex:
      return "index";
    case AxisOrigin::kSlice:
      return "slice";
    case AxisOrigin::kRepeat:
      break;
  }
  return "repeat";
}

std::string_view placing_name(Placing placing) noexcept {
  switch (placing) {
    case Placing::kInside:
      return "inside";
    case Placing::kClamped:
      return "clamped";
    case Placing::kWrapped:
      return "wrapped";
    case Placing::kOutside:
      return "outside";
    case Placing::kIllegal:
      break;
  }
  return "illegal";
}

namespace internal {

std::string walk_text(const Explanation& explanation, const ExplainedPoint& walk) {
  return bare(walk_line(explanation, walk));
}

std::string write_text(const Explanation& explanation, const ExplainedWrite& write) {
  return bare(write_line(explanation, write));
}

}  // namespace internal

std::string to_text(const Explanation& explanation) {
  std::string text = head(explanation);
  for (const ExplainedPoint& walk : explanation.walks) text += walk_line(explanation, walk);
  for (const ExplainedWrite& write : explanation.writes) text += write_line(explanation, write);
  if (!explanation.cells.empty()) text += "\n";
  for (const ExplainedCell& cell : explanation.cells) text += cell_line(explanation, cell);
  text += counts(explanation);
  if (!explanation.failure.empty()) text += "the call fails: " + explanation.failure + "\n";
  return text;
}

}  // namespace windrow
