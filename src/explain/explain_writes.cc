#include "src/explain/explain_writes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "src/execute/sorted_cells.h"
#include "src/explain/explain_point.h"
#include "src/explain/to_text.h"
#include "src/reference/element.h"

namespace windrow::internal {
namespace {

using reference::Element;
using reference::Reduction;

// Indexed by Combine.
constexpr std::array kReductions = {Reduction::kNone, Reduction::kAdd, Reduction::kSub,
                                    Reduction::kMul,  Reduction::kMin, Reduction::kMax,
                                    Reduction::kMean};

// A cell that was written.
struct CellState {
  Element value;
  std::int64_t writes = 0;
  std::int64_t last_write = 0;
  std::optional<std::size_t> last_shown;  // the last write's number among the shown writes
  bool shown = false;
};

Reduction reduction_of(const Operation& operation) {
  return kReductions[static_cast<std::size_t>(operation.combine)];
}

// What a cell of a reduction without data holds where nothing is written.
Element untouched_element(const Operation& operation) {
  switch (operation.untouched) {
    case UntouchedCell::kIdentity:
      return reference::identity_element(operation.dtype, reduction_of(operation));
    case UntouchedCell::kNeutral:
      return reference::neutral_element(operation.dtype, reduction_of(operation));
    case UntouchedCell::kZero:
      break;
  }
  return reference::zero_element(operation.dtype);
}

// What every cell of the output holds before the first write, if all hold the same: the element of
// data with which they all start, or that of a reduction without data.
std::optional<Element> common_initial(const Operation& operation,
                                      std::span<const TensorView> inputs) {
  if (operation.data_input < 0) return untouched_element(operation);
  const TensorView& data = inputs[static_cast<std::size_t>(operation.data_input)];
  if (operation.data_element < 0 || !has_values(data)) return std::nullopt;
  return reference::read_element(data, element_position(operation, operation.data_element));
}

class WriteBuilder {
 public:
  WriteBuilder(const Operation& operation, std::span<const TensorView> inputs,
               const ExplainOptions& options, Explanation& explanation)
      : operation_(operation),
        inputs_(inputs),
        options_(options),
        explanation_(explanation),
        reduction_(reduction_of(operation)),
        initial_(common_initial(operation, inputs)),
        knows_values_(has_values(updates()) &&
                      (operation.data_input < 0 || has_values(input(operation.data_input)))),
        corner_(corner_block(operation.map.loops, options.most_points)) {
    for (const Dims& element : options.elements) chosen_.insert(number_of(element));
  }

  void build() {
    if (initial_) explanation_.initial = element_text(*initial_);
    explanation_.searched = std::min(explanation_.points, options_.most_searched);
    for (std::int64_t number = 0; number < explanation_.searched; ++number) add(number);
    for (const auto& [number, state] : cells_)
      if (state.shown) explanation_.cells.push_back(finished(number, state));
  }

 private:
  const TensorView& input(int number) const { return inputs_[static_cast<std::size_t>(number)]; }
  const TensorView& updates() const { return input(operation_.updates_input); }

  std::int64_t number_of(const Dims& cell) const {
    return reference::flat_index(operation_.result_shape, cell);
  }

  bool is_shown(const ExplainedPoint& point) const {
    if (std::ssize(explanation_.writes) >= options_.most_points) return false;
    if (!chosen_.empty()) return point.cell && chosen_.contains(number_of(*point.cell));
    return !options_.corner || is_in_block(point.counters, corner_);
  }

  void add(std::int64_t number) {
    ExplainedWrite write;
    write.point = explain_point(operation_, inputs_, number);
    if (is_illegal(write.point)) ++explanation_.illegal;
    if (has_values(updates()))
      write.point.value = element_text(reference::read_element(updates(), write.point.direct));
    const bool shown = is_shown(write.point);
    if (write.point.cell) apply(*write.point.cell, shown, write);
    if (shown) explanation_.writes.push_back(std::move(write));
  }

  // Applies the write of a point that has a cell.
  void apply(const Dims& cell, bool shown, ExplainedWrite& write) {
    CellState& state = cells_[number_of(cell)];
    if (state.writes > 0) write.earlier = state.last_write;
    if (write.earlier && operation_.refuse_duplicates && explanation_.failure.empty())
      explanation_.failure = "updates " + std::to_string(*write.earlier) + " and " +
                             std::to_string(write.point.number) + " both go to output" +
                             to_string(cell) + ", and the call refuses duplicates";
    if (state.last_shown) explanation_.writes[*state.last_shown].later = write.point.number;
    if (knows_values_) {
      if (state.writes == 0) state.value = first_value(cell);
      if (shown) write.before = element_text(state.value);
      state.value = reference::combine(reduction_, state.value,
                                       reference::read_element(updates(), write.point.direct));
      if (shown) write.after = element_text(state.value);
    }
    ++state.writes;
    state.last_write = write.point.number;
    state.last_shown.reset();
    if (shown) state.last_shown = explanation_.writes.size();
    state.shown = state.shown || shown;
  }

  // The value with which the fold of a cell starts.
  Element first_value(const Dims& cell) const {
    if (operation_.data_input < 0) return reference::identity_element(operation_.dtype, reduction_);
    if (!operation_.from_data) return reference::neutral_element(operation_.dtype, reduction_);
    return initial_ ? *initial_ : reference::read_element(input(operation_.data_input), cell);
  }

  // What the output holds at the cell before the first write; empty if it is not known.
  std::string initial_text(const Dims& cell) const {
    if (initial_) return element_text(*initial_);
    const TensorView& data = input(operation_.data_input);
    return has_values(data) ? element_text(reference::read_element(data, cell)) : "";
  }

  ExplainedCell finished(std::int64_t number, const CellState& state) const {
    ExplainedCell cell;
    cell.cell = reference::position_of(operation_.result_shape, number);
    cell.writes = state.writes;
    cell.initial = initial_text(cell.cell);
    if (!knows_values_) return cell;
    const std::int64_t summands = state.writes + (operation_.from_data ? 1 : 0);
    cell.result =
        element_text(operation_.combine == Combine::kMean ? reference::divide(state.value, summands)
                                                          : state.value);
    return cell;
  }

  const Operation& operation_;
  std::span<const TensorView> inputs_;
  const ExplainOptions& options_;
  Explanation& explanation_;
  Reduction reduction_;
  std::optional<Element> initial_;  // of all cells, if they start as the same
  bool knows_values_;
  Shape corner_;                             // the block of ExplainOptions::corner
  std::set<std::int64_t> chosen_;            // row-major numbers of the chosen cells
  std::map<std::int64_t, CellState> cells_;  // the written cells, by row-major number
};

}  // namespace

void explain_writes(const Operation& operation, std::span<const TensorView> inputs,
                    const ExplainOptions& options, Explanation& explanation) {
  WriteBuilder(operation, inputs, options, explanation).build();
}

namespace {

// The loops along which indices are read. The legal ranges of the indices allow for all other
// loops.
std::vector<int> index_loops(const AccessMap& map) {
  std::set<int> loops;
  for (const AxisMap& axis : map.axes)
    for (const IndexTerm& term : axis.terms)
      for (const IndexCoordinate& coordinate : term.coordinates)
        if (coordinate.loop >= 0) loops.insert(coordinate.loop);
  return {loops.begin(), loops.end()};
}

// Advances the counters of these loops in row-major order; returns false after the last ones.
bool next(const Shape& extents, const std::vector<int>& loops, Dims& counters) {
  for (std::size_t i = loops.size(); i-- > 0;) {
    if (++counters[loops[i]] < extents[loops[i]]) return true;
    counters[loops[i]] = 0;
  }
  return false;
}

std::string fault_text(const Operation& operation, const ExplainedCoordinate& coordinate,
                       std::size_t axis) {
  const std::string on = "axis " + std::to_string(axis) + " of " + indirect_name(operation) +
                         " (extent " + std::to_string(coordinate.extent) + ")";
  const std::vector<IndexTerm>& terms = operation.map.axes[axis].terms;
  for (std::size_t t = 0; t < terms.size(); ++t) {
    const IndexRead& read = coordinate.indices[t];
    std::string text = input_name(operation, read.input) +
                       (read.position.empty() ? "" : to_string(read.position)) + " is " +
                       read.stored;
    if (!read.legal && read.negative && operation.refuse_negative)
      return text + ", negative, and the call says negative=error: " + on;
    const std::string legal = read.legal ? "" : to_string(*terms[t].legal);
    const std::string padding =
        terms[t].padding ? " or be the padding " + std::to_string(*terms[t].padding) : "";
    if (!legal.empty()) return text + ", which must lie in " + legal + padding + " for " + on;
    if (!read.legal || t + 1 == terms.size()) return text + ", where no index is legal: " + on;
  }
  return {};
}

// Whether a coordinate makes the call fail. An index outside its legal range always does; a sum
// that is out of range does only if no loop in it is empty.
bool is_fault(const AccessMap& map, std::size_t axis, const ExplainedCoordinate& coordinate) {
  if (coordinate.placing != Placing::kIllegal) return false;
  const auto& added = map.axes[axis].loops;
  return std::any_of(coordinate.indices.begin(), coordinate.indices.end(),
                     [](const IndexRead& read) { return !read.legal; }) ||
         std::all_of(added.begin(), added.end(),
                     [&](const LoopTerm& loop) { return map.loops[loop.loop] > 0; });
}

std::string first_fault(const Operation& operation, std::span<const TensorView> inputs,
                        std::int64_t most) {
  const std::vector<int> loops = index_loops(operation.map);
  const bool none = std::any_of(loops.begin(), loops.end(),
                                [&](int loop) { return operation.map.loops[loop] == 0; });
  if (none) return {};
  Dims counters = Dims::filled(operation.map.loops.rank(), 0);
  do {
    for (std::size_t a = 0; a < operation.map.axes.size(); ++a) {
      if (operation.map.axes[a].terms.empty()) continue;
      const ExplainedCoordinate coordinate =
          explain_coordinate(operation.map.axes[a], inputs, counters);
      if (is_fault(operation.map, a, coordinate)) return fault_text(operation, coordinate, a);
    }
  } while (--most > 0 && next(operation.map.loops, loops, counters));
  return {};
}

}  // namespace

std::string find_failure(const Operation& operation, std::span<const TensorView> inputs,
                         std::int64_t most) {
  std::string fault = first_fault(operation, inputs, most);
  if (!fault.empty() || operation.ascending_input < 0) return fault;
  std::vector<TensorView> first(inputs.begin(), inputs.end());
  TensorView& ids = first[static_cast<std::size_t>(operation.ascending_input)];
  ids.shape[0] = std::min(ids.shape[0], most);
  const Status order = check_order(operation, first);
  return order ? std::string() : std::string(order.message());
}

}  // namespace windrow::internal
