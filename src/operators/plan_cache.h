#ifndef WINDROW_OPERATORS_PLAN_CACHE_H_
#define WINDROW_OPERATORS_PLAN_CACHE_H_

#include "windrow/call_cache.h"
#include "windrow/plan.h"

namespace windrow::internal {

// The latest plans that this process compiled, for every caller of compile() and of the one-call
// functions, including models, plug-ins and other languages. A plan takes about 10 KiB. Never
// destroyed: threads may still compile when the process ends.
inline constinit CallSlots<Plan, 512> kept_plans;

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_PLAN_CACHE_H_
