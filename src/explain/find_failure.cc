#include "src/explain/find_failure.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <vector>

#include "src/execute/check_order.h"
#include "src/explain/explain_axes.h"
#include "src/explain/explain_point.h"

namespace windrow::internal {
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
    if (!read.legal && terms[t].legal->low <= terms[t].legal->high)
      return text + ", which must lie in " + std::to_string(terms[t].legal->low) + " to " +
             std::to_string(terms[t].legal->high) + " for " + on;
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
