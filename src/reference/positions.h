#ifndef WINDROW_REFERENCE_POSITIONS_H_
#define WINDROW_REFERENCE_POSITIONS_H_

#include <cstdint>

#include "windrow/shape.h"

// Walking over the positions of a tensor, and taking positions and shapes apart.
namespace windrow::internal::reference {

using Position = Dims;

// Calls visit(position) for every position of `shape` in row-major order, while it returns true.
template <class Visit>
void for_each_position(const Shape& shape, Visit visit) {
  if (element_count(shape).value_or(0) == 0) return;
  Position position = Position::filled(shape.rank(), 0);
  int axis = 0;
  while (axis >= 0 && visit(position)) {
    axis = shape.rank() - 1;
    while (axis >= 0 && ++position[axis] == shape[axis]) position[axis--] = 0;
  }
}

// The number of positions before `position` in row-major order.
inline std::int64_t flat_index(const Shape& shape, const Position& position) {
  std::int64_t index = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) index = index * shape[axis] + position[axis];
  return index;
}

inline Position position_of(const Shape& shape, std::int64_t flat_index) {
  Position position = Position::filled(shape.rank(), 0);
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    position[axis] = flat_index % shape[axis];
    flat_index /= shape[axis];
  }
  return position;
}

// dims[from:to]
inline Dims slice(const Dims& dims, int from, int to) {
  Dims part;
  part.append(dims, from, to);
  return part;
}

// dims[from:]
inline Dims tail(const Dims& dims, int from) { return slice(dims, from, dims.rank()); }

// a ++ b; the ranks together are at most kMaxRank.
inline Dims operator+(const Dims& a, const Dims& b) {
  Dims joined = a;
  joined.append(b, 0, b.rank());
  return joined;
}

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_POSITIONS_H_
