#include "src/reference/batches.h"

#include <string>

namespace windrow::internal::reference {

Result<int> check_batch_count(const Call& call, const BatchCount& names, std::int64_t count,
                              int most) {
  if (count >= 0 && count <= most) return static_cast<int>(count);
  return call.invalid(names.rule, std::string(names.name) + " is " + std::to_string(count) +
                                      ", must be in [0, " + std::to_string(most) + "]");
}

Status check_batches(const Call& call, Batches batches, int batch) {
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  for (int d = 0; d < batch; ++d) {
    const bool repeats = batches == Batches::kRepeated && (data[d] == 1 || indices[d] == 1);
    if (data[d] == indices[d] || repeats) continue;
    return call.shape("C2", "data of shape " + to_string(data) + " and indices of shape " +
                                to_string(indices) + " do not fit together in axis " +
                                std::to_string(d));
  }
  return {};
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
