#ifndef WINDROW_PLAN_FIND_SMALL_H_
#define WINDROW_PLAN_FIND_SMALL_H_

#include <cstdint>
#include <optional>

#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// How a plan, otherwise complete, runs as a small one. Nothing if it is too large, has shared or
// tiled loops, moves strings, an axis has more than one index or a check of its own, or the direct
// tensor or an index tensor is not walked in even steps. Law: point number p of the addressed nest
// has its direct row at p * direct_step, its index of axis a at p * index_steps[a] from the term's
// first byte, and the offset offsets[p] + the sum of coordinates * multipliers.
std::optional<SmallPlan> find_small(const LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_FIND_SMALL_H_
