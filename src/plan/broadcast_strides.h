#ifndef WINDROW_PLAN_BROADCAST_STRIDES_H_
#define WINDROW_PLAN_BROADCAST_STRIDES_H_

#include "windrow/shape.h"

namespace windrow::internal {

// The strides of a tensor of shape `shape` broadcast to `loops` by NumPy's rules: axes are aligned
// at the end, an extent of 1 is repeated, and leading extents of 1 beyond the rank of `loops` are
// dropped. Law: the byte position for the counters of `loops` is that of the element at the
// counters of the tensor's own axes, with 0 on those of extent 1.
Strides broadcast_strides(const Shape& shape, const Strides& strides, const Shape& loops);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_BROADCAST_STRIDES_H_
