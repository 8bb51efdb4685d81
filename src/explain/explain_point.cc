#include "src/explain/explain_point.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "src/access/evaluate.h"
#include "src/base/element.h"
#include "src/base/integers.h"
#include "src/reference/element.h"

namespace windrow::internal {
namespace {

// A copy of an index element: an element that changes during the call is read only once.
using IndexBytes = std::array<std::byte, 8>;

IndexBytes copy_index(const TensorView& indices, const Dims& position) {
  IndexBytes bytes{};
  const auto* const data = static_cast<const std::byte*>(indices.data);
  if (is_packed(indices.dtype)) {
    const std::int64_t number = reference::flat_index(indices.shape, position);
    bytes[0] = static_cast<std::byte>(get_packed(indices.dtype, data, number));
    return bytes;
  }
  std::int64_t offset = 0;
  for (int axis = 0; axis < position.rank(); ++axis)
    offset += position[axis] * indices.strides[axis];
  const auto width = static_cast<std::size_t>(dtype_bits(indices.dtype) / 8);
  std::memcpy(bytes.data(), data + offset, std::min(width, bytes.size()));
  return bytes;
}

IndexRead read_term(const IndexTerm& term, const AxisMap& axis, const TensorView& indices,
                    const Dims& counters) {
  IndexRead read;
  read.input = term.input;
  read.position = index_position(term, counters);
  const IndexBytes bytes = copy_index(indices, read.position);
  const std::int64_t stored = read_index(indices.dtype, bytes.data());
  read.stored = index_text(indices.dtype, bytes.data());
  read.negative = stored < 0;
  read.padding = is_padding(term, indices.dtype, bytes.data());
  read.legal = !term.legal || term.legal->contains(stored) || read.padding;
  // There is no remainder by 0.
  const bool counts = !read.padding && (axis.extent > 0 || axis.policy != OutOfRange::kModulo);
  read.counted = counts ? count_index(term, axis, indices.dtype, bytes.data()) : stored;
  return read;
}

// Applies the policy to the sum. On an axis of extent 0, clamp and modulo have no result.
void place_sum(const AxisMap& axis, ExplainedCoordinate& coordinate) {
  if (std::any_of(coordinate.indices.begin(), coordinate.indices.end(),
                  [](const IndexRead& read) { return read.padding; })) {
    coordinate.placing = Placing::kOutside;
    return;
  }
  const bool legal = std::all_of(coordinate.indices.begin(), coordinate.indices.end(),
                                 [](const IndexRead& read) { return read.legal; });
  const bool moves = axis.policy == OutOfRange::kClamp || axis.policy == OutOfRange::kModulo;
  if (!legal || (moves && axis.extent == 0)) {
    coordinate.placing = Placing::kIllegal;
    return;
  }
  coordinate.value = place(coordinate.sum, axis);
  if (!coordinate.value) {
    coordinate.placing = axis.policy == OutOfRange::kError ? Placing::kIllegal : Placing::kOutside;
    return;
  }
  const bool remainder = std::any_of(
      coordinate.indices.begin(), coordinate.indices.end(),
      [](const IndexRead& read) { return read.stored != std::to_string(read.counted); });
  if (axis.policy == OutOfRange::kModulo && (remainder || *coordinate.value != coordinate.sum))
    coordinate.placing = Placing::kWrapped;
  else if (*coordinate.value != coordinate.sum)
    coordinate.placing = Placing::kClamped;
}

// The position of an update that broadcasts to the loops by NumPy's rules.
Dims broadcast_position(const Shape& updates, const Dims& counters) {
  Dims position;
  const int skipped = counters.rank() - updates.rank();
  for (int axis = 0; axis < updates.rank(); ++axis)
    position.push_back(updates[axis] == 1 ? 0 : counters[skipped + axis]);
  return position;
}

// The position of a point in the output (gather) or in the updates (scatter).
Dims direct_position(const Operation& operation, std::span<const TensorView> inputs,
                     std::int64_t number, const Dims& counters) {
  if (operation.bags) return {};  // known only with the bounds of the bags
  if (!operation.scatter) return reference::position_of(operation.result_shape, number);
  if (operation.updates_element >= 0) return element_position(operation, operation.updates_element);
  const Shape& updates = inputs[static_cast<std::size_t>(operation.updates_input)].shape;
  if (operation.updates_broadcast) return broadcast_position(updates, counters);
  return reference::position_of(updates, number);
}

}  // namespace

bool has_values(const TensorView& input) {
  return input.is_absent() || input.data != nullptr || element_count(input.shape) == 0;
}

ExplainedCoordinate explain_coordinate(const AxisMap& axis, std::span<const TensorView> inputs,
                                       const Dims& counters) {
  ExplainedCoordinate coordinate;
  coordinate.extent = axis.extent;
  coordinate.base = axis.base;
  for (const LoopTerm& loop : axis.loops)
    coordinate.counters.push_back({loop.loop, loop.coefficient});
  coordinate.sum = counted_loops(axis, counters);
  for (const IndexTerm& term : axis.terms) {
    const TensorView& indices = inputs[static_cast<std::size_t>(term.input)];
    coordinate.indices.push_back(read_term(term, axis, indices, counters));
    coordinate.sum = saturating_add(coordinate.sum, coordinate.indices.back().counted);
  }
  place_sum(axis, coordinate);
  return coordinate;
}

ExplainedPoint explain_point(const Operation& operation, std::span<const TensorView> inputs,
                             std::int64_t number) {
  ExplainedPoint point;
  point.number = number;
  point.counters = reference::position_of(operation.map.loops, number);
  point.direct = direct_position(operation, inputs, number, point.counters);
  Dims cell;
  bool placed = true;
  for (const AxisMap& axis : operation.map.axes) {
    point.coordinates.push_back(explain_coordinate(axis, inputs, point.counters));
    placed = placed && point.coordinates.back().value.has_value();
    cell.push_back(point.coordinates.back().value.value_or(0));
  }
  if (placed) point.cell = cell;
  return point;
}

Shape corner_block(const Shape& loops, std::int64_t most) {
  Shape block = Shape::filled(loops.rank(), 1);
  std::int64_t points = 1;
  for (bool grows = true; grows;) {
    grows = false;
    // The last axes grow first, since their elements are neighbours.
    for (int axis = loops.rank() - 1; axis >= 0; --axis) {
      const std::int64_t more = points / block[axis] * (block[axis] + 1);
      if (block[axis] >= loops[axis] || more > most) continue;
      points = more;
      ++block[axis];
      grows = true;
    }
  }
  return block;
}

bool is_in_block(const Dims& counters, const Shape& block) {
  for (int axis = 0; axis < block.rank(); ++axis)
    if (counters[axis] >= block[axis]) return false;
  return true;
}

bool is_illegal(const ExplainedPoint& point) {
  return std::any_of(point.coordinates.begin(), point.coordinates.end(),
                     [](const ExplainedCoordinate& coordinate) {
                       return coordinate.placing == Placing::kIllegal;
                     });
}

const std::string& input_name(const Operation& operation, int input) {
  return operation.input_names[static_cast<std::size_t>(input)];
}

std::string indirect_name(const Operation& operation) {
  return operation.scatter ? "output" : input_name(operation, operation.data_input);
}

namespace {

// Adds the axes of the indirect tensor that a loop walks.
void add_indirect_axes(const Operation& operation, int loop, ExplainedAxis& axis) {
  const std::string name = indirect_name(operation);
  for (std::size_t a = 0; a < operation.map.axes.size(); ++a)
    for (const LoopTerm& term : operation.map.axes[a].loops)
      if (term.loop == loop) axis.walks.push_back({name, static_cast<int>(a)});
}

// Adds the axes of index tensors that a loop walks, each once.
void add_index_axes(const Operation& operation, int loop, ExplainedAxis& axis) {
  std::set<std::pair<int, int>> seen;
  for (const AxisMap& map : operation.map.axes)
    for (const IndexTerm& term : map.terms)
      for (std::size_t c = 0; c < term.coordinates.size(); ++c)
        if (term.coordinates[c].loop == loop && seen.emplace(term.input, c).second)
          axis.walks.push_back({input_name(operation, term.input), static_cast<int>(c)});
}

// "axis 0 of data and axis 1 of indices"
std::string axes_text(std::span<const TensorAxis> axes) {
  std::string text;
  for (const TensorAxis& axis : axes)
    text +=
        (text.empty() ? "axis " : " and axis ") + std::to_string(axis.axis) + " of " + axis.tensor;
  return text;
}

// " from 7 in steps of -3": the positions on an axis that a loop takes where no index is added;
// empty if it takes them one by one from the first.
std::string steps_text(const AccessMap& map, int loop) {
  for (const AxisMap& axis : map.axes)
    for (const LoopTerm& term : axis.loops)
      if (term.loop == loop && (axis.base != 0 || term.coefficient != 1))
        return " from " + std::to_string(axis.base) + " in steps of " +
               std::to_string(term.coefficient);
  return "";
}

bool has_indices(const AccessMap& map) {
  return std::any_of(map.axes.begin(), map.axes.end(),
                     [](const AxisMap& axis) { return !axis.terms.empty(); });
}

std::string loop_sentence(const Operation& operation, int loop, const ExplainedAxis& axis) {
  const std::string along = "goes along " + axes_text(axis.walks);
  switch (axis.origin) {
    case AxisOrigin::kBatch:
      return along + " at once";
    case AxisOrigin::kIndex:
      return along + ", one step for each index";
    case AxisOrigin::kSlice:
      return along + (has_indices(operation.map) ? ", the same for every index"
                                                 : steps_text(operation.map, loop));
    case AxisOrigin::kRepeat:
      break;
  }
  return operation.scatter ? "is in no coordinate: every step reaches the same cells"
                           : "is in no coordinate: every step takes the same elements";
}

ExplainedAxis explain_loop(const Operation& operation, int loop) {
  ExplainedAxis axis;
  axis.name = "i" + std::to_string(loop);
  axis.extent = operation.map.loops[loop];
  add_indirect_axes(operation, loop, axis);
  const std::size_t of_indirect = axis.walks.size();
  add_index_axes(operation, loop, axis);
  const bool of_indices = axis.walks.size() > of_indirect;
  if (of_indirect > 0)
    axis.origin = of_indices ? AxisOrigin::kBatch : AxisOrigin::kSlice;
  else
    axis.origin = of_indices ? AxisOrigin::kIndex : AxisOrigin::kRepeat;
  axis.sentence = loop_sentence(operation, loop, axis);
  return axis;
}

// The extent of an input's axis; -1 if no input has the axis.
std::int64_t extent_of(const Operation& operation, std::span<const TensorView> inputs,
                       const TensorAxis& axis) {
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (operation.input_names[i] == axis.tensor && axis.axis < inputs[i].shape.rank())
      return inputs[i].shape[axis.axis];
  return -1;
}

// The axes along a loop that are as long as the loop: it has its extent from them.
std::vector<TensorAxis> extent_givers(const Operation& operation,
                                      std::span<const TensorView> inputs,
                                      const ExplainedAxis& loop) {
  std::vector<TensorAxis> givers;
  std::copy_if(
      loop.walks.begin(), loop.walks.end(), std::back_inserter(givers),
      [&](const TensorAxis& axis) { return extent_of(operation, inputs, axis) == loop.extent; });
  return givers;
}

std::string gathered_sentence(const Operation& operation, std::span<const TensorView> inputs,
                              std::span<const ExplainedAxis> loops, const std::vector<int>& made) {
  std::string text;
  for (const int loop : made) {
    const ExplainedAxis& axis = loops[static_cast<std::size_t>(loop)];
    const std::vector<TensorAxis> givers = extent_givers(operation, inputs, axis);
    text += (text.empty() ? "" : " times ") +
            (givers.empty() ? std::to_string(axis.extent) : "that of " + axes_text(givers));
  }
  return text.empty() ? "an axis without a counter" : text;
}

// A gather's result regroups the loops in row-major order, as a reshape does: each of its axes is
// made of the loops whose extents multiply to its own. An axis of extent 1 may be made of none.
std::vector<ExplainedOutputAxis> gathered_axes(const Operation& operation,
                                               std::span<const TensorView> inputs,
                                               std::span<const ExplainedAxis> loops) {
  std::vector<ExplainedOutputAxis> axes;
  const bool one_to_one = operation.result_shape == operation.map.loops;
  int loop = 0;
  const int last = operation.map.loops.rank();
  for (int a = 0; a < operation.result_shape.rank(); ++a) {
    ExplainedOutputAxis axis;
    axis.extent = operation.result_shape[a];
    std::int64_t product = 1;
    while (loop < last && (one_to_one ? axis.loops.empty() : product != axis.extent)) {
      product *= operation.map.loops[loop];
      axis.loops.push_back(loop++);
    }
    axis.sentence = gathered_sentence(operation, inputs, loops, axis.loops);
    axes.push_back(std::move(axis));
  }
  return axes;
}

// The sentence on an output axis of a scatter whose output does not start as data.
std::string cells_sentence(const Operation& operation, std::span<const ExplainedAxis> loops,
                           const AxisMap& axis) {
  if (!axis.terms.empty())
    return "given by the call; " + input_name(operation, axis.terms[0].input) +
           " say the position on it";
  if (axis.loops.empty()) return "given by the call";
  const ExplainedAxis& loop = loops[static_cast<std::size_t>(axis.loops[0].loop)];
  for (const TensorAxis& walk : loop.walks)
    if (walk.tensor != "output") return "that of " + axes_text({&walk, 1});
  return "that of axis " + std::to_string(axis.loops[0].loop) + " of " +
         input_name(operation, operation.updates_input);
}

}  // namespace

std::vector<ExplainedAxis> explain_loops(const Operation& operation) {
  std::vector<ExplainedAxis> axes;
  for (int loop = 0; loop < operation.map.loops.rank(); ++loop)
    axes.push_back(explain_loop(operation, loop));
  return axes;
}

std::vector<ExplainedOutputAxis> explain_output_axes(const Operation& operation,
                                                     std::span<const TensorView> inputs,
                                                     std::span<const ExplainedAxis> loops) {
  if (!operation.scatter) return gathered_axes(operation, inputs, loops);
  std::vector<ExplainedOutputAxis> axes;
  for (int a = 0; a < operation.result_shape.rank(); ++a) {
    const AxisMap& map = operation.map.axes[static_cast<std::size_t>(a)];
    axes.push_back({operation.result_shape[a],
                    {},
                    starts_as_data(operation) ? "that of axis " + std::to_string(a) + " of " +
                                                    input_name(operation, operation.data_input)
                                              : cells_sentence(operation, loops, map)});
  }
  return axes;
}

}  // namespace windrow::internal
