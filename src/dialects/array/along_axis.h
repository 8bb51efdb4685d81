#ifndef WINDROW_DIALECTS_ARRAY_ALONG_AXIS_H_
#define WINDROW_DIALECTS_ARRAY_ALONG_AXIS_H_

#include <cstdint>
#include <span>

#include "src/dialects/rules.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// C1: data and indices have one rank, at least 1; A1; C2: off the axis their extents broadcast.
// Returns the axis, counted from the front.
Result<int> check_along_axis(const Rules& rules, std::int64_t axis,
                             std::span<const TensorSpec> inputs);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ARRAY_ALONG_AXIS_H_
