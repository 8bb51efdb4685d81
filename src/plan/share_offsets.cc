#include "src/plan/share_offsets.h"

#include <utility>

#include "src/plan/thresholds.h"

namespace windrow::internal {

void share_offsets(LoopNest& nest, LoweredPlan& plan) {
  std::size_t leading = 0;
  while (leading < nest.size() && is_unaddressed(nest[leading]) &&
         (!plan.scatter || nest[leading].injective))
    ++leading;
  if (leading == 0 || leading == nest.size()) return;
  const auto cut = nest.begin() + static_cast<std::ptrdiff_t>(leading);
  LoopNest rest(cut, nest.end());
  const auto step = even_step(rest, kDirectStream);
  if (!step) return;
  // A few offsets are written side by side for several outer points, which then make up one block.
  const std::int64_t points = point_count(rest);
  if (points < kLeastSharedPoints &&
      (plan.scatter || nest[leading - 1].strides[kDirectStream] != points * *step))
    return;
  plan.shared.assign(nest.begin(), cut);
  nest = std::move(rest);
}

}  // namespace windrow::internal
