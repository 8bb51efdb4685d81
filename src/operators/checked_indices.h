#ifndef WINDROW_OPERATORS_CHECKED_INDICES_H_
#define WINDROW_OPERATORS_CHECKED_INDICES_H_

#include <span>

#include "windrow/export.h"
#include "windrow/plan.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Checks the indices of a scatter as a run in place does before it writes: all of them, and where
// the plan refuses duplicates these, too. Data and updates may be absent from `inputs`, which must
// be memory that does not change. Exported for windrow::tables. Errors: those of Plan::run() about
// indices.
WINDROW_EXPORT Status check_indices(const Plan& plan, std::span<const TensorView> inputs,
                                    const RunOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_CHECKED_INDICES_H_
