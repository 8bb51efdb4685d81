#include "src/dialects/maps.h"

#include <limits>
#include <utility>

namespace windrow::internal {
namespace {

// The loop that walks an axis, or position 0 where the extent 1 is broadcast.
IndexCoordinate coordinate_of(std::int64_t extent, const Shape& loops, int loop) {
  const bool broadcast = extent == 1 && loops[loop] != 1;
  return {broadcast ? -1 : loop, 0};
}

AxisMap walked_axis(std::int64_t extent, const Shape& loops, int loop) {
  if (coordinate_of(extent, loops, loop).loop >= 0) return loop_axis(extent, loop);
  AxisMap axis;
  axis.extent = extent;
  return axis;
}

// Where the first `count` axes of indices stand: those before `batch_dims` at the loops of the same
// numbers, the others `shift` loops later.
std::vector<IndexCoordinate> coordinates_of(const Shape& indices, const Shape& loops, int count,
                                            int batch_dims = 0, int shift = 0) {
  std::vector<IndexCoordinate> coordinates;
  for (int j = 0; j < count; ++j)
    coordinates.push_back(coordinate_of(indices[j], loops, j < batch_dims ? j : j + shift));
  return coordinates;
}

// The axes of data: each is walked by a loop, except `axis`, which the indices address.
void append_element_axes(const Shape& data, const Shape& indices, int axis, const IndexUse& use,
                         AccessMap& map) {
  for (int d = 0; d < data.rank(); ++d)
    map.axes.push_back(
        d == axis ? index_axis(data[d], 1, coordinates_of(indices, map.loops, indices.rank()), use)
                  : walked_axis(data[d], map.loops, d));
}

// broadcast(data[:batch_dims], indices[:batch_dims])
void append_batch(const Shape& data, const Shape& indices, int batch_dims, Shape& loops) {
  for (int d = 0; d < batch_dims; ++d) loops.push_back(data[d] == 1 ? indices[d] : data[d]);
}

// The legal write indices of a sequence; any is if there is none. A write index that counts from
// the end begins a sequence that ends at the end, or before it.
std::optional<IndexRange> legal_write_indices(std::int64_t max, std::int64_t length,
                                              const Sequence& sequence) {
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  const auto [policy, negatives] = sequence.use;
  if (policy == OutOfRange::kError) {
    const bool from_end = negatives == Negatives::kCountFromEnd && length <= max;
    return IndexRange{from_end ? -max : 0, sequence.circular ? kAny : max - length,
                      from_end && !sequence.circular ? 1 - length : 0};
  }
  // Clamp and modulo have no coordinate to choose on an empty axis.
  const bool chooses = policy == OutOfRange::kClamp || policy == OutOfRange::kModulo;
  if (chooses && max == 0 && length > 0) return IndexRange{0, -1};
  if (are_refused(negatives)) return IndexRange{0, kAny};
  return std::nullopt;
}

// The sequence axis: the write index of the batch entry plus the position in update. The legal
// range is the write index's own; the policy acts on the sum.
AxisMap sequence_axis(std::int64_t max, std::int64_t length, int axis, const Sequence& sequence) {
  AxisMap map = loop_axis(max, axis);
  if (sequence.write_indices < 0) return map;  // the position is the coordinate
  IndexTerm term;
  term.input = sequence.write_indices;
  term.coordinates.push_back({0, 0});
  if (sequence.use.negatives == Negatives::kCountFromEnd)
    term.normalise = Normalise::kNegativeWraps;
  term.legal = legal_write_indices(max, length, sequence);
  map.policy = sequence.circular ? OutOfRange::kModulo : sequence.use.policy;
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
    if (d == axis) {
      map.axes.push_back(index_axis(
          data[d], 1,
          coordinates_of(indices, map.loops, indices.rank(), batch_dims, axis - batch_dims), use));
    } else {
      map.axes.push_back(walked_axis(data[d], map.loops, d < axis ? d : d - 1 + inner_indices));
    }
  }
  return map;
}

AccessMap element_map(const Shape& data, const Shape& indices, int axis, const IndexUse& use) {
  AccessMap map;
  map.loops = indices;
  append_element_axes(data, indices, axis, use, map);
  return map;
}

AccessMap broadcast_element_map(const Shape& data, const Shape& indices, int axis,
                                const IndexUse& use) {
  AccessMap map;
  append_batch(data, indices, data.rank(), map.loops);
  map.loops[axis] = indices[axis];
  append_element_axes(data, indices, axis, use, map);
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
    if (d < batch_dims || d >= first_slice_axis) {
      const int loop = d < batch_dims ? d : tuple_axis + d - first_slice_axis;
      map.axes.push_back(walked_axis(data[d], map.loops, loop));
      continue;
    }
    std::vector<IndexCoordinate> coordinates = coordinates_of(indices, map.loops, tuple_axis);
    coordinates.push_back({-1, d - batch_dims});
    map.axes.push_back(index_axis(data[d], 1, std::move(coordinates), use));
  }
  return map;
}

AccessMap one_hot_map(const Shape& indices, int axis, std::int64_t depth, const IndexUse& use) {
  AccessMap map;
  map.loops = indices;
  for (int d = 0; d < indices.rank(); ++d) map.axes.push_back(loop_axis(indices[d], d));
  map.axes.insert(map.axes.begin() + axis,
                  index_axis(depth, 0, coordinates_of(indices, indices, indices.rank()), use));
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
