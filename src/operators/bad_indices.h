#ifndef WINDROW_OPERATORS_BAD_INDICES_H_
#define WINDROW_OPERATORS_BAD_INDICES_H_

#include <span>

#include "windrow/plan.h"

namespace windrow::internal {

// Same as Plan::bad_indices.
Result<BadIndices> list_bad_indices(const PlanState& state, std::span<const TensorView> inputs,
                                    const RunOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_BAD_INDICES_H_
