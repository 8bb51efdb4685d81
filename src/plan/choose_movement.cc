#include "src/plan/choose_movement.h"

#include <algorithm>
#include <limits>

#include "src/base/cache_line.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
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

}  // namespace windrow::internal
