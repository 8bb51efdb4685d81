#ifndef WINDROW_OPERATORS_CHECKED_INDICES_H_
#define WINDROW_OPERATORS_CHECKED_INDICES_H_

#include <cstddef>
#include <span>

#include "windrow/export.h"
#include "windrow/plan.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Checks of indices outside a run. Data and updates may be absent from `inputs`. All functions
// are exported for windrow::tables.

// Checks the indices of a scatter as a run in place does before it writes: all of them, and where
// the plan refuses duplicates these, too. Or the ids of a pooled look-up. They must be memory that
// does not change. Errors: those of Plan::run() about indices.
WINDROW_EXPORT Status check_indices(const Plan& plan, std::span<const TensorView> inputs,
                                    const RunOptions& options);

// Copies an input of a plan, which may change while a call runs. An absent one stays absent.
// Errors: those of Plan::run() about its type, shape and memory, kOutOfMemory.
WINDROW_EXPORT Result<Tensor> copy_of_input(const Plan& plan, std::size_t input,
                                            const TensorView& view);

// Checks that a result can be written to `out`. Errors: those of Plan::run() about its output.
WINDROW_EXPORT Status check_output_of(const Plan& plan, const MutableTensorView& out);

// Where each bag of a pooled look-up begins in its row-major ids, and where the last one ends:
// int64 [bags + 1]. Each offset is read once. Errors: those of Plan::run() about bounds of bags,
// kOutOfMemory.
WINDROW_EXPORT Result<Tensor> bag_starts(const Plan& plan, std::span<const TensorView> inputs,
                                         const RunOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_CHECKED_INDICES_H_
