#ifndef WINDROW_EXPLAIN_EXPLAIN_POINT_H_
#define WINDROW_EXPLAIN_EXPLAIN_POINT_H_

#include <cstdint>
#include <span>

#include "src/access/operation.h"
#include "windrow/explain.h"

namespace windrow::internal {

// Whether the elements of an input may be read: it is there with its memory, or has none.
bool has_values(const TensorView& input);

// One coordinate of the indirect tensor at these counters of the loops; see explain_point().
ExplainedCoordinate explain_coordinate(const AxisMap& axis, std::span<const TensorView> inputs,
                                       const Dims& counters);

// Point `number` of an operation's loops, in row-major order, with everything but `value`. Index
// tensors may have any strides; packed ones are read as they are. Precondition: the number is below
// the loops' element count, and every index tensor has its values.
ExplainedPoint explain_point(const Operation& operation, std::span<const TensorView> inputs,
                             std::int64_t number);

// The extents of the block of ExplainOptions::corner: at most `most` points of `loops`.
Shape corner_block(const Shape& loops, std::int64_t most);

// Whether counters lie in a block of these extents.
bool is_in_block(const Dims& counters, const Shape& block);

// Whether one of a point's indices fails the call.
bool is_illegal(const ExplainedPoint& point);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_EXPLAIN_POINT_H_
