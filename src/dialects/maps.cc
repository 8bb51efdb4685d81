#include "src/dialects/maps.h"

#include <algorithm>
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

}  // namespace

AccessMap slice_map(const Shape& data, const Shape& indices, int axis, int batch_dims,
                    const IndexUse& use) {
  const int inner_indices = indices.rank() - batch_dims;
  AccessMap map;
  map.loops.append(data, 0, axis);
  map.loops.append(indices, batch_dims, indices.rank());
  map.loops.append(data, axis + 1, data.rank());
  for (int d = 0; d < data.rank(); ++d) {
    if (d != axis) {
      map.axes.push_back(loop_axis(data[d], d < axis ? d : d - 1 + inner_indices));
      continue;
    }
    std::vector<IndexCoordinate> coordinates;
    for (int j = 0; j < indices.rank(); ++j)
      coordinates.push_back({j < batch_dims ? j : axis + j - batch_dims, 0});
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

AccessMap tuple_map(const Shape& data, const Shape& indices, int batch_dims, const IndexUse& use) {
  const int tuple_axis = indices.rank() - 1;
  const int first_slice_axis = batch_dims + static_cast<int>(indices.back());
  AccessMap map;
  for (int d = 0; d < batch_dims; ++d) map.loops.push_back(data[d] == 1 ? indices[d] : data[d]);
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

}  // namespace windrow::internal
