#include "src/plan/split_strides.h"

namespace windrow::internal {

Strides split_strides(const Shape& shape, const Strides& strides, const Shape& loops) {
  Strides split = Dims::filled(loops.rank(), 0);
  int loop = loops.rank() - 1;
  for (int axis = shape.rank(); axis-- > 0;) {
    std::int64_t left = shape[axis];
    std::int64_t stride = strides[axis];
    while (left > 1 && loop >= 0 && loops[loop] != 0) {
      split[loop] = stride;
      stride *= loops[loop];
      left /= loops[loop];
      --loop;
    }
  }
  return split;
}

}  // namespace windrow::internal
