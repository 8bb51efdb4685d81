#ifndef WINDROW_ACCESS_UNIFORM_AXES_H_
#define WINDROW_ACCESS_UNIFORM_AXES_H_

#include <span>

#include "src/access/access_map.h"
#include "windrow/shape.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// The map in which each uniform axis of the indirect tensor, and the loop that walks it, has extent
// 1. An axis is uniform if one loop walks all of it and nothing else: no other axis, and no index
// tensor (of `inputs`, the operator's) except along an axis of stride 0, where all its elements are
// the same one.
// Law: a cell of the indirect tensor is addressed as often as the map's cell with 0 in place of its
// coordinates on these axes.
AccessMap without_uniform_axes(const AccessMap& map, std::span<const TensorSpec> inputs);

// The extents of a map's axes.
Shape indirect_shape(const AccessMap& map);

}  // namespace windrow::internal

#endif  // WINDROW_ACCESS_UNIFORM_AXES_H_
