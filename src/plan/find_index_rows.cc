#include "src/plan/find_index_rows.h"

#include "src/plan/choose_kernel.h"
#include "src/plan/index_lanes.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {

bool has_index_rows(const Tuning& tuning, const LoweredPlan& plan) {
  const NestLoop& lanes = plan.addressed.back();
  const std::int64_t least = tuning.constant_rows ? 2 : kLeastConstantLanes;
  return lanes.extent >= least && has_lanes(plan);
}

std::shared_ptr<LoweredPlan> lower_index_rows(const LoweredPlan& plan) {
  auto rows = std::make_shared<LoweredPlan>(plan);
  rows->row_bytes = plan.row_bytes * plan.addressed.back().extent;
  rows->addressed.pop_back();
  AddressTerm& term = rows->axes.front().terms.front();
  term.first_byte = 0;
  std::int64_t step = term.element_bytes;
  for (std::size_t l = rows->addressed.size(); l-- > 0;) {
    rows->addressed[l].strides[term.stream] = step;
    step *= rows->addressed[l].extent;
  }
  rows->points = plan.points / plan.addressed.back().extent;
  return choose_kernel(*rows) ? rows : nullptr;
}

}  // namespace windrow::internal
