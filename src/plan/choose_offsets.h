#ifndef WINDROW_PLAN_CHOOSE_OFFSETS_H_
#define WINDROW_PLAN_CHOOSE_OFFSETS_H_

#include "src/plan/lowered_plan.h"
#include "windrow/shape.h"

namespace windrow::internal {

// Chooses unit, width and start of the offsets of a plan whose addressed nest and axes are set, and
// converts the nest's indirect stream from bytes to units. `axis_strides` are the byte strides of
// plan.axes. Returns false, and leaves the plan unusable, if an address exceeds 63 bits. Law: for
// all counters and coordinates in their ranges, start + units of the loops + coordinate *
// multiplier is in [0, offset_count), and indirect_first + unit * that sum is the byte position
// that it was before.
bool choose_offsets(const Strides& axis_strides, LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_CHOOSE_OFFSETS_H_
