#include "src/plan/choose_kernel.h"

#include <string>

namespace windrow::internal {

KernelQuery kernel_query(const LoweredPlan& plan, std::int64_t row_bytes) {
  const bool reduces = plan.family == Family::kReduce;
  return {plan.family, row_bytes, reduces ? plan.dtype : DType::kAbsent, plan.fold};
}

Status choose_kernel(LoweredPlan& plan) {
  if (plan.dtype == DType::kString) {
    // The answer is the same for every set.
    const KernelTable& kernels = kernel_sets().front().table;
    plan.string_kernel =
        plan.scatter ? kernels.find<Family::kScatterStrings>(plan.row_bytes, plan.dtype, plan.fold)
                     : kernels.find<Family::kGatherStrings>(plan.row_bytes, plan.dtype, plan.fold);
    if (plan.string_kernel != nullptr) return {};
    return {ErrorCode::kUnsupported, "no kernel does this reduction of strings"};
  }
  if (plan.fold != Fold::kNone) {
    plan.family = Family::kReduce;
  } else if (plan.scatter) {
    plan.family = Family::kAssign;
  } else {
    const bool element = plan.row_bytes <= 16 && (plan.row_bytes & (plan.row_bytes - 1)) == 0;
    plan.family = element ? Family::kTakeElements : Family::kCopyRows;
  }
  plan.kernel = find_kernel(kernel_query(plan, plan.row_bytes));
  if (plan.kernel != Kernel::kCount) return {};
  return {ErrorCode::kUnsupported,
          "no kernel does this reduction of " + std::string(dtype_name(plan.dtype))};
}

}  // namespace windrow::internal
