#include "src/plan/broadcast_strides.h"

namespace windrow::internal {

Strides broadcast_strides(const Shape& shape, const Strides& strides, const Shape& loops) {
  Strides broadcast = Dims::filled(loops.rank(), 0);
  const int shift = loops.rank() - shape.rank();
  for (int axis = 0; axis < shape.rank(); ++axis)
    if (axis + shift >= 0 && shape[axis] != 1) broadcast[axis + shift] = strides[axis];
  return broadcast;
}

}  // namespace windrow::internal
