#ifndef WINDROW_OPERATORS_PLAN_CACHE_H_
#define WINDROW_OPERATORS_PLAN_CACHE_H_

#include <optional>

#include "src/operators/plan_key.h"
#include "windrow/plan.h"

namespace windrow::internal {

// The plans that this process compiled last, a bounded number, for every caller of compile(): the
// one-call functions, models, plug-ins and other languages. Any thread may call; none waits, and a
// fork leaves nothing closed. A thread that asks for a plan while another one looks at it may find
// none.
std::optional<Plan> find_plan(const PlanKey& key) noexcept;
// Takes the place of a plan whose key falls to the same slot. Without memory nothing is kept.
void keep_plan(const PlanKey& key, const Plan& plan) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_PLAN_CACHE_H_
