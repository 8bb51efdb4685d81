#ifndef WINDROW_PLAN_ESTIMATE_H_
#define WINDROW_PLAN_ESTIMATE_H_

#include <cstdint>

#include "src/plan/costs.h"
#include "src/plan/lower.h"

namespace windrow::internal {

// The time of a run on one thread, in nanoseconds, by which plans of the same call for different
// layouts are compared: a sum of costs, each times a number that does not depend on them. Rests on
// the plan's first way that walks its points. Not negative.
double estimate_time(const LoweredPlan& plan, const MachineCosts& costs);

// The time that new memory of this size takes, in nanoseconds: asking for it, and touching its
// pages.
double estimate_new_memory(std::int64_t bytes, const MachineCosts& costs);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_ESTIMATE_H_
