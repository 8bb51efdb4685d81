#ifndef WINDROW_PLAN_LOWER_H_
#define WINDROW_PLAN_LOWER_H_

#include <span>

#include "src/access/operation.h"
#include "src/plan/lowered_plan.h"
#include "src/plan/tuning.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// The memory layout that a plan is lowered for.
struct Layout {
  Strides direct;                      // bytes, one per loop of the access map
  Strides indirect;                    // bytes, one per axis of the access map
  std::span<const TensorSpec> inputs;  // types and strides of the index tensors, by input
};

// Lowers the operation. Errors: kUnsupported if there is no kernel for its reduction (the builders
// refuse such operations earlier), kShape if an address exceeds 63 bits.
Result<LoweredPlan> lower(const Operation& operation, const Layout& layout,
                          const Tuning& tuning = {});

// The plan that copies a tensor of this type and shape: a gather without indices.
Result<LoweredPlan> lower_copy(DType dtype, const Shape& shape, const Strides& to,
                               const Strides& from, const Tuning& tuning = {});

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_LOWER_H_
