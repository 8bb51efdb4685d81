#ifndef WINDROW_PLAN_LOOPS_H_
#define WINDROW_PLAN_LOOPS_H_

#include <cstdint>
#include <optional>

#include "src/plan/lower.h"
#include "src/plan/ways.h"
#include "windrow/shape.h"

namespace windrow::internal {

// The innermost loops of a plan as one, as many as possible, at least two: the loops inside of the
// first of them have at most `most_points` points together, and the index tensors and the direct
// side continue at the same step from each to the next. Returns nothing if there are none. Beyond
// its first run the pattern has another kBlockPoints offsets, because a block may begin at any
// point of a run.
std::optional<FlatRuns> flatten_runs(const LoweredPlan& plan, std::int64_t most_points);

// The same nest with as few loops as possible: loops of extent 1 are dropped, and a loop merges
// with the one inside it where every track continues from the end of the inner loop. Law: the
// sequence of the tracks' values, point by point in row-major order, stays the same; a merged loop
// is injective only if both were.
LoopNest merge_loops(const LoopNest& nest);

// The loops of a nest that copies single elements, in another order: the last one has the smallest
// step on the direct side, and the one before it the smallest step on the indirect side; the two
// longest loops take their places if these have less than kLeastGridPoints points together. There
// are at least three loops in the result; loops of extent 1 are added for that. Law: the points are
// the same, in another order.
LoopNest order_for_copy(const LoopNest& nest);

// The strides of a tensor of shape `shape`, seen with the shape `loops`. That shape has the same
// elements in the same order; it only splits axes or leaves out axes of extent 1. Law: the byte
// position of element number n in row-major order is the same in both.
Strides split_strides(const Shape& shape, const Strides& strides, const Shape& loops);

// The strides of a tensor of shape `shape` broadcast to `loops` by NumPy's rules: axes are aligned
// at the end, an extent of 1 is repeated, and leading extents of 1 beyond the rank of `loops` are
// dropped. Law: the byte position for the counters of `loops` is that of the element at the
// counters of the tensor's own axes, with 0 on those of extent 1.
Strides broadcast_strides(const Shape& shape, const Strides& strides, const Shape& loops);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_LOOPS_H_
