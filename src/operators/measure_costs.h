#ifndef WINDROW_OPERATORS_MEASURE_COSTS_H_
#define WINDROW_OPERATORS_MEASURE_COSTS_H_

#include <functional>
#include <span>
#include <vector>

#include "src/plan/costs.h"
#include "windrow/status.h"
#include "windrow/threads.h"

namespace windrow::internal {

// A run whose estimate one cost dominates.
struct CostProbe {
  double MachineCosts::*cost;
  std::function<double(const MachineCosts&)> estimate;  // nanoseconds; a sum of costs times numbers
  std::function<Status()> run;
};

// A probe for each cost, for that of a task only if there are several threads. They own their
// tensors. Errors: kOutOfMemory, and those of compile().
Result<std::vector<CostProbe>> make_cost_probes(Threads* threads);

// The costs by which each estimate is the time, in nanoseconds, that its probe took; costs without
// a probe are the presets. Where no costs within the bounds do that, the nearest bound.
MachineCosts solve_costs(std::span<const CostProbe> probes, std::span<const double> times);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_MEASURE_COSTS_H_
