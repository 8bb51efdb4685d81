#ifndef WINDROW_PLAN_FIND_SMALL_H_
#define WINDROW_PLAN_FIND_SMALL_H_

#include <cstdint>
#include <optional>

#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// The points of a plan that can run as one block. Returns nothing if the plan is too large, has
// shared loops or moves strings, if an axis has more than one index or a check of its own, or if
// the direct tensor or an index tensor is not walked in even steps. Law: point number p of the
// addressed nest is where EvenPoints says, and its offset is offsets[p] plus the sum of coordinates
// * multipliers.
std::optional<EvenPoints> find_even_points(const LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_FIND_SMALL_H_
