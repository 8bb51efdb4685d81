#ifndef WINDROW_OPERATORS_PLAN_CACHE_H_
#define WINDROW_OPERATORS_PLAN_CACHE_H_

#include "windrow/call_cache.h"
#include "windrow/plan.h"

namespace windrow::internal {

// The plans that this process compiled last, for every caller of compile() and of the one-call
// functions: models, plug-ins and other languages too. A plan takes some 10 KiB. Never destroyed:
// threads may still compile when the process ends.
inline constinit CallSlots<Plan, 512> kept_plans;

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_PLAN_CACHE_H_
