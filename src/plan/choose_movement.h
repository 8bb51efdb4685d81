#ifndef WINDROW_PLAN_CHOOSE_MOVEMENT_H_
#define WINDROW_PLAN_CHOOSE_MOVEMENT_H_

#include "src/plan/lowered_plan.h"
#include "src/plan/tuning.h"

namespace windrow::internal {

// Sets how far a plan whose kernel is chosen fetches ahead, and what it writes past the caches. The
// result does not depend on these.
void choose_movement(const Tuning& tuning, LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_CHOOSE_MOVEMENT_H_
