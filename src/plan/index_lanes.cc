#include "src/plan/index_lanes.h"

namespace windrow::internal {

bool has_lanes(const LoweredPlan& plan) {
  if (plan.axes.size() != 1 || plan.addressed.size() < 2 || !plan.shared.empty() ||
      plan.dtype == DType::kString)
    return false;
  const AddressAxis& axis = plan.axes.front();
  const AddressTerm& term = axis.terms.front();
  const NestLoop& lanes = plan.addressed.back();
  return axis.fused && is_plain_index(term) && lanes.strides[term.stream] == term.element_bytes &&
         lanes.strides[kIndirectStream] * plan.unit == plan.row_bytes &&
         lanes.strides[kDirectStream] == plan.row_bytes && (!plan.scatter || lanes.injective);
}

}  // namespace windrow::internal
