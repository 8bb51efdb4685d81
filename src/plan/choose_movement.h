#ifndef WINDROW_PLAN_CHOOSE_MOVEMENT_H_
#define WINDROW_PLAN_CHOOSE_MOVEMENT_H_

#include "src/plan/lowered_plan.h"
#include "src/plan/tuning.h"

namespace windrow::internal {

// Sets how far a plan whose kernel and tiles are chosen fetches ahead, whether it writes past the
// caches, and whether it looks for constant index rows and copies its output in pieces. The result
// does not depend on any of these.
void choose_movement(const Tuning& tuning, LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_CHOOSE_MOVEMENT_H_
