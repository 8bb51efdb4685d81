#ifndef WINDROW_PLAN_CHOOSE_WAYS_H_
#define WINDROW_PLAN_CHOOSE_WAYS_H_

#include <cstdint>
#include <optional>

#include "src/plan/lower.h"
#include "src/plan/tuning.h"

namespace windrow::internal {

// Sets the candidates of a plan that is otherwise complete, and its flat runs. Law: the last
// candidate serves every run, and no candidate changes the result.
void choose_ways(const Tuning& tuning, LoweredPlan& plan);

// The points of a plan that can run as one block. Returns nothing if the plan is too large, has
// shared loops or moves strings, if an axis has more than one index or a check of its own, or if
// the direct tensor or an index tensor is not walked in even steps. Law: point number p of the
// addressed nest is where EvenPoints says, and its offset is offsets[p] plus the sum of coordinates
// * multipliers.
std::optional<EvenPoints> find_even_points(const LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_CHOOSE_WAYS_H_
