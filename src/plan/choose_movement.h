#ifndef WINDROW_PLAN_CHOOSE_MOVEMENT_H_
#define WINDROW_PLAN_CHOOSE_MOVEMENT_H_

#include "src/plan/lowered_plan.h"
#include "src/plan/tuning.h"

namespace windrow::internal {

// Sets the prefetch distance of a plan whose kernel is chosen, and what it writes with non-temporal
// stores. The result does not depend on either.
void choose_movement(const Tuning& tuning, LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_CHOOSE_MOVEMENT_H_
