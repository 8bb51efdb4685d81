#include "src/reference/batches.h"

namespace windrow::internal::reference {

bool batches_repeat(const Shape& data, const Shape& indices, int batch) {
  for (int axis = 0; axis < batch; ++axis)
    if (data[axis] != indices[axis] && data[axis] != 1 && indices[axis] != 1) return false;
  return true;
}

Shape batch_shape(const Shape& data, const Shape& indices, int batch) {
  Shape extents = slice(data, 0, batch);
  for (int axis = 0; axis < batch; ++axis)
    if (extents[axis] == 1) extents[axis] = indices[axis];
  return extents;
}

Position batch_position(const Shape& shape, const Position& p, int batch) {
  Position place = slice(p, 0, batch);
  for (int axis = 0; axis < batch; ++axis)
    if (shape[axis] == 1) place[axis] = 0;
  return place;
}

}  // namespace windrow::internal::reference
