#ifndef WINDROW_PLAN_TILE_LANES_H_
#define WINDROW_PLAN_TILE_LANES_H_

#include <cstdint>

#include "src/plan/lowered_plan.h"
#include "src/plan/tuning.h"

namespace windrow::internal {

// Only elements are packed, no rows of them: 4096x1024 rows of 20 bytes along axis 0 in 55 ms
// packed and 30 in their place, 8192x512 of 32 bytes in 85 and 39. What runs tiles has room for no
// more.
inline constexpr std::int64_t kMostPackedElement = 16;

// Lanes: an index per point whose indirect position also moves with the innermost loop, while an
// outer loop returns to the same lanes. Sets plan.tile where it pays to copy what a tile of lanes
// may address to scratch. Law: the points stay the same; for a scatter, two points that address one
// cell keep their order.
void tile_lanes(const Tuning& tuning, LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_TILE_LANES_H_
