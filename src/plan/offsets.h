#ifndef WINDROW_PLAN_OFFSETS_H_
#define WINDROW_PLAN_OFFSETS_H_

#include <cstdint>

#include "src/plan/lower.h"
#include "src/plan/tuning.h"
#include "windrow/shape.h"

namespace windrow::internal {

// Chooses unit, width and start of the offsets of a plan whose addressed nest and axes are set, and
// converts the nest's indirect track from bytes to units. `axis_strides` are the byte strides of
// plan.axes. Returns false, and leaves the plan unusable, if an address exceeds 63 bits. Law: for
// all counters and coordinates in their ranges, start + units of the loops + coordinate *
// multiplier is in [0, offset_count), and indirect_first + unit * that sum is the byte position
// that it was before.
bool choose_offsets(const Strides& axis_strides, LoweredPlan& plan);

// Moves the last loops of a gather, if they are short and need no offsets of their own, outside of
// those that do, which then run without a pause every few points. `table_bytes`: how far apart the
// cells lie that indices choose. Law: the points stay the same, in another order.
void turn_short_loops(LoopNest& nest, std::int64_t table_bytes, const LoweredPlan& plan);

// Moves the leading loops that need no offsets of their own from `nest` to plan.shared, if the rest
// has enough points to justify a pass of its own and is dense on the direct side. Law: the points
// stay the same; for a scatter, two points that address one cell keep their order.
void share_offsets(LoopNest& nest, LoweredPlan& plan);

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

#endif  // WINDROW_PLAN_OFFSETS_H_
