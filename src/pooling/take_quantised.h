#ifndef WINDROW_POOLING_TAKE_QUANTISED_H_
#define WINDROW_POOLING_TAKE_QUANTISED_H_

#include <span>

#include "src/access/access_map.h"
#include "src/execute/outcome.h"
#include "src/kernels/registry.h"
#include "src/plan/lower.h"
#include "windrow/plan_description.h"
#include "windrow/status.h"
#include "windrow/tensor.h"
#include "windrow/threads.h"

namespace windrow::internal {

// Lowers the gather whose elements are the numbers of the rows that an operation with `dequantise`
// takes: row-major over the axes of data up to the gathered one. Its points are the rows of the
// result, in order. Errors: as lower().
Result<LoweredPlan> lower_row_numbers(const Operation& operation,
                                      std::span<const TensorSpec> inputs, const Tuning& tuning);

// The run of a quantised look-up.
struct QuantisedRun {
  const Operation& operation;
  const LoweredPlan& rows;  // of lower_row_numbers()
  const KernelTable& kernels;
  std::span<const TensorView> inputs;
  const MutableTensorView& out;
  Threads* threads = nullptr;
  Interruption* interruption = nullptr;
};

// Writes every row of the result: its numbers, or zeros where the index is outside. Each row has
// one task. kBadIndex: an index is illegal. Precondition: the result has elements.
RunOutcome take_quantised(const QuantisedRun& run);

// Sets the members of a description that say how rows are taken.
void describe_quantised(const Operation& operation, const LoweredPlan& rows,
                        PlanDescription& description);

}  // namespace windrow::internal

#endif  // WINDROW_POOLING_TAKE_QUANTISED_H_
