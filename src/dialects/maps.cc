#include "src/dialects/maps.h"

#include <limits>
#include <utility>

namespace windrow::internal {
namespace {

// The loop of a batch axis, or position 0 on the side whose extent 1 is broadcast.
IndexCoordinate batch_coordinate(std::int64_t extent, std::int64_t loops, int loop) {
  const bool broadcast = extent == 1 && loops != 1;
  return {broadcast ? -1 : loop, 0};
}

AxisMap batch_axis(std::int64_t extent, std::int64_t loops, int loop) {
  if (extent != 1 || loops == 1) return loop_axis(extent, loop);
  AxisMap axis;
  axis.extent = extent;
  return axis;
}

// broadcast(data[:batch_dims], indices[:batch_dims])
void append_batch(const Shape& data, const Shape& indices, int batch_dims, Shape& loops) {
  for (int d = 0; d < batch_dims; ++d) loops.push_back(data[d] == 1 ? indices[d] : data[d]);
}

// The sequence axis: the write index of the batch entry plus the position in update. The legal
// range is the write index's own; the policy acts on the sum.
AxisMap sequence_axis(std::int64_t max, std::int64_t length, int axis, const Sequence& sequence) {
  AxisMap map = loop_axis(max, axis);
  if (sequence.write_indices < 0) return map;  // the position is the coordinate
  IndexTerm term;
  term.input = sequence.write_indices;
  term.coordinates.push_back({0, 0});
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  if (sequence.policy == OutOfRange::kError)
    term.legal = {0, sequence.circular ? kAny : max - length};
  // Clamp and modulo have no coordinate to choose on an empty axis.
  const bool nowhere =
      max == 0 && length > 0 &&
      (sequence.policy == OutOfRange::kClamp || sequence.policy == OutOfRange::kModulo);
  if (nowhere) term.legal = {0, -1};
  map.policy = sequence.circular ? OutOfRange::kModulo : sequence.policy;
  map.terms.push_back(std::move(term));
  return map;
}

}  // namespace

AccessMap slice_map(const Shape& data, const Shape& indices, int axis, int batch_dims,
                    const IndexUse& use) {
  const int inner_indices = indices.rank() - batch_dims;
  AccessMap map;
  append_batch(data, indices, batch_dims, map.loops);
  map.loops.append(data, batch_dims, axis);
  map.loops.append(indices, batch_dims, indices.rank());
  map.loops.append(data, axis + 1, data.rank());
  for (int d = 0; d < data.rank(); ++d) {
    if (d < batch_dims) {
      map.axes.push_back(batch_axis(data[d], map.loops[d], d));
      continue;
    }
    if (d != axis) {
      map.axes.push_back(loop_axis(data[d], d < axis ? d : d - 1 + inner_indices));
      continue;
    }
    std::vector<IndexCoordinate> coordinates;
    for (int j = 0; j < indices.rank(); ++j)
      coordinates.push_back(j < batch_dims ? batch_coordinate(indices[j], map.loops[j], j)
                                           : IndexCoordinate{axis + j - batch_dims, 0});
    map.axes.push_back(index_axis(data[d], 1, std::move(coordinates), use.policy, use.negatives));
  }
  return map;
}

AccessMap element_map(const Shape& data, const Shape& indices, int axis, const IndexUse& use) {
  AccessMap map;
  map.loops = indices;
  for (int d = 0; d < data.rank(); ++d) {
    if (d != axis) {
      map.axes.push_back(loop_axis(data[d], d));
      continue;
    }
    std::vector<IndexCoordinate> coordinates;
    for (int j = 0; j < indices.rank(); ++j) coordinates.push_back({j, 0});
    map.axes.push_back(index_axis(data[d], 1, std::move(coordinates), use.policy, use.negatives));
  }
  return map;
}

AccessMap broadcast_element_map(const Shape& data, const Shape& indices, int axis,
                                const IndexUse& use) {
  AccessMap map;
  append_batch(data, indices, data.rank(), map.loops);
  map.loops[axis] = indices[axis];
  for (int d = 0; d < data.rank(); ++d) {
    if (d != axis) {
      map.axes.push_back(batch_axis(data[d], map.loops[d], d));
      continue;
    }
    std::vector<IndexCoordinate> coordinates;
    for (int j = 0; j < indices.rank(); ++j)
      coordinates.push_back(batch_coordinate(indices[j], map.loops[j], j));
    map.axes.push_back(index_axis(data[d], 1, std::move(coordinates), use.policy, use.negatives));
  }
  return map;
}

AccessMap tuple_map(const Shape& data, const Shape& indices, int batch_dims, const IndexUse& use) {
  const int tuple_axis = indices.rank() - 1;
  const int first_slice_axis = batch_dims + static_cast<int>(indices.back());
  AccessMap map;
  append_batch(data, indices, batch_dims, map.loops);
  map.loops.append(indices, batch_dims, tuple_axis);
  map.loops.append(data, first_slice_axis, data.rank());
  for (int d = 0; d < data.rank(); ++d) {
    if (d < batch_dims) {
      map.axes.push_back(batch_axis(data[d], map.loops[d], d));
      continue;
    }
    if (d >= first_slice_axis) {
      map.axes.push_back(loop_axis(data[d], tuple_axis + d - first_slice_axis));
      continue;
    }
    std::vector<IndexCoordinate> coordinates;
    for (int j = 0; j < tuple_axis; ++j)
      coordinates.push_back(j < batch_dims ? batch_coordinate(indices[j], map.loops[j], j)
                                           : IndexCoordinate{j, 0});
    coordinates.push_back({-1, d - batch_dims});
    map.axes.push_back(index_axis(data[d], 1, std::move(coordinates), use.policy, use.negatives));
  }
  return map;
}

AccessMap one_hot_map(const Shape& indices, int axis, std::int64_t depth, const IndexUse& use) {
  AccessMap map;
  map.loops = indices;
  for (int d = 0; d <= indices.rank(); ++d) {
    if (d != axis) {
      map.axes.push_back(loop_axis(indices[d < axis ? d : d - 1], d < axis ? d : d - 1));
      continue;
    }
    std::vector<IndexCoordinate> coordinates;
    for (int j = 0; j < indices.rank(); ++j) coordinates.push_back({j, 0});
    map.axes.push_back(index_axis(depth, 0, std::move(coordinates), use.policy, use.negatives));
  }
  return map;
}

AccessMap sequence_map(const Shape& cache, const Shape& update, int axis,
                       const Sequence& sequence) {
  AccessMap map;
  map.loops = update;
  for (int d = 0; d < cache.rank(); ++d)
    map.axes.push_back(d == axis ? sequence_axis(cache[d], update[d], d, sequence)
                                 : loop_axis(cache[d], d));
  return map;
}

}  // namespace windrow::internal
