#ifndef WINDROW_PLAN_SPLIT_STRIDES_H_
#define WINDROW_PLAN_SPLIT_STRIDES_H_

#include "windrow/shape.h"

namespace windrow::internal {

// The strides of a tensor of shape `shape`, seen with the shape `loops`. That shape has the same
// elements in the same order; it only splits axes or leaves out axes of extent 1. Law: the byte
// position of element number n in row-major order is the same in both.
Strides split_strides(const Shape& shape, const Strides& strides, const Shape& loops);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_SPLIT_STRIDES_H_
