#ifndef WINDROW_ACCESS_UNIFORM_AXES_H_
#define WINDROW_ACCESS_UNIFORM_AXES_H_

#include <span>

#include "src/access/access_map.h"
#include "windrow/shape.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// The map with an extent of 1 for every axis of the indirect tensor along which all cells are
// addressed by the same points, but for a loop that walks just this axis, and for that loop. Index
// tensors, `inputs` of the operator, may be read along it where their elements are the same one
// (stride 0).
// Law: a cell of the indirect tensor is addressed as often as the map's cell with 0 in place of its
// coordinates on these axes.
AccessMap without_uniform_axes(const AccessMap& map, std::span<const TensorSpec> inputs);

// The extents of a map's axes.
Shape indirect_shape(const AccessMap& map);

}  // namespace windrow::internal

#endif  // WINDROW_ACCESS_UNIFORM_AXES_H_
