#ifndef WINDROW_PLAN_TILE_LANES_H_
#define WINDROW_PLAN_TILE_LANES_H_

#include <cstdint>

#include "src/plan/lowered_plan.h"
#include "src/plan/tuning.h"

namespace windrow::internal {

// Whether kernels read the indices directly.
inline bool is_plain_index(const AddressTerm& term) {
  return term.dtype == DType::kInt32 || term.dtype == DType::kInt64;
}

// Whether the innermost loop is one of lanes, which have one plain index each and are contiguous in
// the index tensor and on both sides.
bool has_lanes(const LoweredPlan& plan);

// The lanes of a tile, for a plan with an index for each lane whose outer loops return to the same
// lanes. Returns 0 where copying the cells that a tile may address to scratch does not pay off or
// is impossible. Law: tile after tile, the points stay the same; two updates of one cell keep their
// order.
std::int64_t tile_lanes(const Tuning& tuning, const LoweredPlan& plan);

// The loops outside of rows and lanes; at least one.
LoopNest loops_around_tiles(const LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_TILE_LANES_H_
