#ifndef WINDROW_DIALECTS_ARRAY_ALONG_AXIS_H_
#define WINDROW_DIALECTS_ARRAY_ALONG_AXIS_H_

#include <cstdint>

#include "src/dialects/shape_rules.h"

namespace windrow::internal {

// TakeAlongAxis and PutAlongAxis: C1: data and indices have one rank, at least 1; A1; C2: off the
// axis their extents broadcast. Returns the shape of what is addressed.
Result<SymbolicShape> check_along_axis(const Rules& rules, std::int64_t axis,
                                       const KnownInput& data, const KnownInput& indices);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ARRAY_ALONG_AXIS_H_
