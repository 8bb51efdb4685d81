#ifndef WINDROW_PLAN_CHOOSE_WAYS_H_
#define WINDROW_PLAN_CHOOSE_WAYS_H_

#include "src/plan/lowered_plan.h"
#include "src/plan/tuning.h"

namespace windrow::internal {

// Sets the candidates of a plan that is otherwise complete, and its flat runs. Law: the last
// candidate serves every run, and no candidate changes the result.
void choose_ways(const Tuning& tuning, LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_CHOOSE_WAYS_H_
