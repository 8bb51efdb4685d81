#ifndef WINDROW_DIALECTS_ARRAY_INFER_ALONG_AXIS_H_
#define WINDROW_DIALECTS_ARRAY_INFER_ALONG_AXIS_H_

#include <cstdint>

#include "src/dialects/infer_rules.h"

namespace windrow::internal {

// C1, A1 and C2 of TakeAlongAxis and PutAlongAxis, as far as they are decided. Returns the shape of
// what is addressed.
Result<SymbolicShape> infer_along_axis(const Rules& rules, std::int64_t axis,
                                       const InferredInput& data, const InferredInput& indices);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ARRAY_INFER_ALONG_AXIS_H_
