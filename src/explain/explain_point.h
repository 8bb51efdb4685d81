#ifndef WINDROW_EXPLAIN_EXPLAIN_POINT_H_
#define WINDROW_EXPLAIN_EXPLAIN_POINT_H_

#include <cstdint>
#include <span>

#include "src/access/operation.h"
#include "windrow/explain.h"

namespace windrow::internal {

// Whether the elements of an input may be read: it is there with its memory, or has none.
bool has_values(const TensorView& input);

// Point `number` of an operation's loops, in row-major order, with everything but `value`. Index
// tensors may have any strides; packed ones are read as they are. Precondition: the number is below
// the loops' element count, and every index tensor has its values.
ExplainedPoint explain_point(const Operation& operation, std::span<const TensorView> inputs,
                             std::int64_t number);

// Whether one of a point's indices fails the call.
bool is_illegal(const ExplainedPoint& point);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_EXPLAIN_POINT_H_
