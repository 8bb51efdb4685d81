#include "src/plan/costs.h"

// In place of src/plan/costs.cc: a browser has no environment that could name a file of costs, and
// nothing of an explanation rests on a cost.
namespace windrow::internal {

const Result<MachineCosts>& chosen_costs() {
  static const Result<MachineCosts> presets = MachineCosts();
  return presets;
}

const MachineCosts& machine_costs() { return *chosen_costs(); }

}  // namespace windrow::internal
