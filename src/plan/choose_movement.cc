#include "src/plan/choose_movement.h"

#include <algorithm>
#include <limits>
#include <string>

#include "src/base/memory.h"
#include "src/plan/tuning.h"

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

namespace {

std::int64_t choose_ahead(const Tuning& tuning, const LoweredPlan& plan) {
  if (tuning.prefetch) return *tuning.prefetch;
  const bool element = plan.row_bytes <= kMostElementBytes;
  const std::int64_t near = element ? kFetchElementsBytes : near_bytes(tuning.second_level_bytes);
  if (static_cast<std::int64_t>(plan.offset_count - 1) <= near / plan.unit) return 0;
  return element ? kElementsAhead : rows_ahead(plan.row_bytes);
}

// The bytes of all points together if each has `bytes`.
double all_points(const LoweredPlan& plan, std::int64_t bytes) {
  return static_cast<double>(plan.points) * static_cast<double>(plan.shared_points) *
         static_cast<double>(bytes);
}

// Sets the smallest sizes of tensors that are written with non-temporal stores.
void choose_stream(const Tuning& tuning, LoweredPlan& plan) {
  plan.stream_from = kStreamBytes;
  plan.stream_sorted_start_from = kStreamStartBytes;
  // The bytes of the cache lines that the updates touch if no two share one.
  const double touched = all_points(plan, whole_lines(plan.row_bytes));
  plan.stream_start_from = static_cast<std::int64_t>(std::min(
      static_cast<double>(kStreamStartBytes) + touched, static_cast<double>(kStreamAnyStartBytes)));
  if (tuning.stream) {
    plan.stream_from = *tuning.stream ? 0 : std::numeric_limits<std::int64_t>::max();
    plan.stream_sorted_start_from = plan.stream_start_from = plan.stream_from;
  }
}

}  // namespace

void choose_movement(const Tuning& tuning, LoweredPlan& plan) {
  const double bytes = all_points(plan, plan.row_bytes);
  plan.ahead = choose_ahead(tuning, plan);
  plan.fetch_updates =
      plan.scatter &&
      (tuning.prefetch ? *tuning.prefetch > 0 : bytes >= static_cast<double>(kFetchUpdatesBytes));
  choose_stream(tuning, plan);
  plan.stream = bytes >= static_cast<double>(plan.stream_from);
}

std::int64_t take_row(LoopNest& nest, std::int64_t element_bytes) {
  if (nest.empty()) return 1;
  const NestLoop& inner = nest.back();
  if (!is_unaddressed(inner) || inner.strides[kDirectStream] != element_bytes ||
      inner.strides[kIndirectStream] != element_bytes)
    return 1;
  const std::int64_t elements = inner.extent;
  nest.pop_back();
  return elements;
}

}  // namespace windrow::internal
