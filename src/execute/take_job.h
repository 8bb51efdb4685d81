#ifndef WINDROW_EXECUTE_TAKE_JOB_H_
#define WINDROW_EXECUTE_TAKE_JOB_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "src/execute/partition.h"
#include "src/kernels/registry.h"
#include "src/plan/lowered_plan.h"

// What straight takes have in common, along the loops of a plan and along its flat runs.
namespace windrow::internal {

// The kernel for the bytes of a plan's elements and the type of its indices; null: the set has
// none.
template <class Function>
Function take_function(const LoweredPlan& plan, const std::array<Function, 4>& by_int32,
                       const std::array<Function, 4>& by_int64) {
  const auto width =
      static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(plan.row_bytes)));
  const bool wide = plan.axes.front().terms.front().dtype == DType::kInt64;
  return wide ? by_int64[width] : by_int32[width];
}

// The kernel that holds a dense table of the plan's only axis in registers; null: the table is too
// large, or the kernel set has none.
inline TakeFunction look_up_function(const LoweredPlan& plan, const KernelTable& kernels) {
  if (plan.axes.front().extent * plan.row_bytes > kMostLookupBytes) return nullptr;
  return take_function(plan, kernels.look_up_int32, kernels.look_up_int64);
}

// Takes are cut by points.
inline Partition cut_takes(const LoweredPlan& plan, int tasks) {
  return {.tasks = static_cast<int>(std::min<std::int64_t>(plan.points, tasks))};
}

// What stays the same from run to run where each element has one index.
inline TakeRun take_job(const LoweredPlan& plan, bool stream) {
  const AddressAxis& axis = plan.axes.front();
  TakeRun run;
  run.extent = axis.extent;
  run.wraps = axis.terms.front().wraps;
  run.stream = stream;
  run.ahead = plan.ahead;
  return run;
}

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_TAKE_JOB_H_
