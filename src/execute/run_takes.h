#ifndef WINDROW_EXECUTE_RUN_TAKES_H_
#define WINDROW_EXECUTE_RUN_TAKES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "src/execute/partition.h"
#include "src/kernels/registry.h"
#include "src/plan/lower.h"

// What straight takes have in common, along the loops of a plan and along its flat runs.
namespace windrow::internal {

// The kernel of a family for a plan's elements and indices; null if the kernel set has none.
template <Family kFamily>
TakeFunction take_function(const LoweredPlan& plan, const KernelTable& kernels) {
  return kernels.find<kFamily>(plan.row_bytes, plan.axes.front().terms.front().dtype);
}

// The kernel for tables of any size. It uses gather instructions if these are wanted and the set
// has them.
inline TakeFunction take_function(const LoweredPlan& plan, const KernelTable& kernels,
                                  bool gathers) {
  const TakeFunction gather =
      gathers ? take_function<Family::kTakeGathered>(plan, kernels) : nullptr;
  return gather != nullptr ? gather : take_function<Family::kTake>(plan, kernels);
}

// The part of a TakeRun that stays the same from run to run.
inline TakeRun take_job(const LoweredPlan& plan, bool stream) {
  TakeRun run;
  run.length = static_cast<int>(plan.axes.size());
  for (std::size_t k = 0; k < plan.axes.size(); ++k) {
    const auto units = static_cast<std::int64_t>(plan.axes[k].multiplier);
    run.extents[k] = plan.axes[k].extent;
    run.steps[k] = static_cast<std::uint32_t>(units * plan.unit / plan.row_bytes);
  }
  run.wraps = plan.axes.front().terms.front().wraps;
  run.stream = stream;
  run.ahead = plan.ahead;
  return run;
}

inline bool has_dense_table(const TakeRun& job) { return job.length == 1 && job.steps[0] == 1; }

// The kernel that holds the job's dense table in registers. Null if the table is too large or the
// kernel set has no such kernel.
inline TakeFunction look_up_function(const LoweredPlan& plan, const KernelTable& kernels,
                                     const TakeRun& job) {
  if (!has_dense_table(job) || job.extents[0] * plan.row_bytes > kMostLookupBytes) return nullptr;
  return take_function<Family::kLookUp>(plan, kernels);
}

// Takes are divided by points.
inline Partition cut_takes(const LoweredPlan& plan, int tasks) {
  return {.tasks = static_cast<int>(std::min<std::int64_t>(plan.points, tasks))};
}

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_TAKES_H_
