#ifndef WINDROW_PLAN_SHARE_OFFSETS_H_
#define WINDROW_PLAN_SHARE_OFFSETS_H_

#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// Moves the leading loops that need no offsets of their own from `nest` to plan.shared, if the rest
// has enough points to justify a pass of its own and is dense on the direct side. Law: the points
// stay the same; for a scatter, two points that address one cell keep their order.
void share_offsets(LoopNest& nest, LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_SHARE_OFFSETS_H_
