#ifndef WINDROW_REFERENCE_ARRAY_ELEMENT_BROADCAST_H_
#define WINDROW_REFERENCE_ARRAY_ELEMENT_BROADCAST_H_

#include <cstdint>

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/positions.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// One index for every element along an axis, data and indices being repeated off it where they have
// extent 1.
namespace windrow::internal::reference {

// C1, A1 and C2. Returns the axis, counted from the front.
Result<int> check_along_axis(const Call& call, std::int64_t axis);

// The shape of what is addressed.
Shape addressed_shape(const Call& call, int axis);

// The position in data for one in that shape.
Address broadcast_address(const Call& call, const IndexRule& rule);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_ARRAY_ELEMENT_BROADCAST_H_
