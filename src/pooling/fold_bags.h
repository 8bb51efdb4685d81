#ifndef WINDROW_POOLING_FOLD_BAGS_H_
#define WINDROW_POOLING_FOLD_BAGS_H_

#include <span>

#include "src/access/access_map.h"
#include "src/execute/outcome.h"
#include "src/kernels/registry.h"
#include "src/plan/lower.h"
#include "src/pooling/bag_bounds.h"
#include "windrow/dtype.h"
#include "windrow/plan_description.h"
#include "windrow/tensor.h"
#include "windrow/threads.h"

namespace windrow::internal {

// The run of a pooled look-up.
struct BagRun {
  const Operation& operation;
  // The gather that the operation's map describes, whose rows are added up instead of written: each
  // of its points is a sample, and each of its rows is a row of data.
  const LoweredPlan& plan;
  DType dtype = DType::kAbsent;  // of the cells; of packed ones before they were unpacked
  const KernelTable& kernels;
  std::span<const TensorView> inputs;
  const MutableTensorView& out;
  const BagBounds& bounds;
  Threads* threads = nullptr;
  Interruption* interruption = nullptr;
};

// Whether a plan has a point per sample and a row per row of data, as fold_bags() needs it: else
// the table, or the index tensor, must first be copied row-major. A plan without points is fit.
bool has_bag_rows(const Operation& operation, const LoweredPlan& plan);

// The kernel that folds the operation's cells; Kernel::kCount if there is none.
Kernel bag_kernel(const Operation& operation) noexcept;

// Sets the members of a description that say how the bags of a plan are folded.
void describe_bags(const Operation& operation, const LoweredPlan& plan,
                   PlanDescription& description);

// Folds every bag into its row of the output. Each bag has one task, so the result does not depend
// on the number of threads. kBadIndex: an index is illegal.
RunOutcome fold_bags(const BagRun& run);

}  // namespace windrow::internal

#endif  // WINDROW_POOLING_FOLD_BAGS_H_
