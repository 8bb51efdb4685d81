#include "src/plan/share_offsets.h"

#include <utility>

#include "src/plan/thresholds.h"

namespace windrow::internal {

void share_offsets(LoopNest& nest, LoweredPlan& plan) {
  std::size_t leading = 0;
  while (leading < nest.size() && is_unaddressed(nest[leading]) &&
         (!plan.scatter || nest[leading].injective))
    ++leading;
  const auto cut = nest.begin() + static_cast<std::ptrdiff_t>(leading);
  LoopNest rest(cut, nest.end());
  if (leading == 0 || point_count(rest) < kLeastSharedPoints || !even_step(rest, kDirectStream))
    return;
  plan.shared.assign(nest.begin(), cut);
  nest = std::move(rest);
}

}  // namespace windrow::internal
