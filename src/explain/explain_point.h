#ifndef WINDROW_EXPLAIN_EXPLAIN_POINT_H_
#define WINDROW_EXPLAIN_EXPLAIN_POINT_H_

#include <cstdint>
#include <span>

#include "src/access/operation.h"
#include "windrow/explain.h"

namespace windrow::internal {

// Whether an input needs no memory (it is absent or empty) or has its memory.
bool has_values(const TensorView& input);

// One coordinate of the indirect tensor at these loop counters; see explain_point().
ExplainedCoordinate explain_coordinate(const AxisMap& axis, std::span<const TensorView> inputs,
                                       const Dims& counters);

// Point `number` of an operation's loops, in row-major order, without `value`. Index tensors may
// have any strides, and may be packed. Preconditions: the number is less than the loops' element
// count, and every index tensor has its values.
ExplainedPoint explain_point(const Operation& operation, std::span<const TensorView> inputs,
                             std::int64_t number);

// The extents of the block that ExplainOptions::corner shows: at most `most` points of `loops`.
Shape corner_block(const Shape& loops, std::int64_t most);

// Whether counters lie in a block of these extents.
bool is_in_block(const Dims& counters, const Shape& block);

// Whether one of a point's indices makes the call fail.
bool is_illegal(const ExplainedPoint& point);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_EXPLAIN_POINT_H_
