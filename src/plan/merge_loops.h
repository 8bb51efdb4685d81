#ifndef WINDROW_PLAN_MERGE_LOOPS_H_
#define WINDROW_PLAN_MERGE_LOOPS_H_

#include "src/plan/loop_nest.h"

namespace windrow::internal {

// The same nest with as few loops as possible: loops of extent 1 are dropped, and a loop merges
// with the one inside it where every stream continues from the end of the inner loop. Law: the
// sequence of the streams' values, point by point in row-major order, stays the same; a merged loop
// is injective only if both were.
LoopNest merge_loops(const LoopNest& nest);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_MERGE_LOOPS_H_
