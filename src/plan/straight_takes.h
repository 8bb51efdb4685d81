#ifndef WINDROW_PLAN_STRAIGHT_TAKES_H_
#define WINDROW_PLAN_STRAIGHT_TAKES_H_

#include <cstdint>

#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// Whether the plan takes single elements by a plain index, or a tuple of them, for each element of
// the result, in the same order.
bool can_take_straight(const LoweredPlan& plan);

// Of a plan that can take straight: whether its flat runs can be taken, each from a dense table of
// its own.
bool can_take_flat(const LoweredPlan& plan);

// The bytes from the first cell of the plan's only axis to the end of its last one.
std::int64_t axis_bytes(const LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_STRAIGHT_TAKES_H_
