#include "src/explain/explain_point.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "src/access/evaluate.h"
#include "src/base/checked.h"
#include "src/base/packed.h"
#include "src/reference/positions.h"

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
  read.legal = !term.legal || (stored >= term.legal->low && stored <= term.legal->high);
  // There is no remainder by 0.
  const bool counts = axis.extent > 0 || axis.policy != OutOfRange::kModulo;
  read.counted = counts ? count_index(term, axis, indices.dtype, bytes.data()) : stored;
  return read;
}

// Applies the policy to the sum. On an axis of extent 0, clamp and modulo have no result.
void place_sum(const AxisMap& axis, ExplainedCoordinate& coordinate) {
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
  if (!operation.scatter) return reference::position_of(operation.result_shape, number);
  if (operation.updates_element >= 0) return {operation.updates_element};
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

}  // namespace windrow::internal
