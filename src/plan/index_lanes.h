#ifndef WINDROW_PLAN_INDEX_LANES_H_
#define WINDROW_PLAN_INDEX_LANES_H_

#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// Whether kernels read the indices as they are.
inline bool is_plain_index(const AddressTerm& term) {
  return term.dtype == DType::kInt32 || term.dtype == DType::kInt64;
}

// Whether the innermost loop is one of lanes: with one plain index each, and neighbours in the
// index tensor and on both sides.
bool has_lanes(const LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_INDEX_LANES_H_
