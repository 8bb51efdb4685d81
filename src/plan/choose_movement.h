#ifndef WINDROW_PLAN_CHOOSE_MOVEMENT_H_
#define WINDROW_PLAN_CHOOSE_MOVEMENT_H_

#include <cstdint>

#include "src/plan/lower.h"
#include "src/plan/tuning.h"
#include "src/plan/ways.h"
#include "windrow/status.h"

namespace windrow::internal {

// Sets family and kernel of a plan whose rows are known. Errors: kUnsupported if there is no kernel
// for its reduction.
Status choose_kernel(LoweredPlan& plan);

// The query that finds the plan's kernel for rows of `row_bytes`, which may be shorter than the
// plan's own: a run may divide rows into slices.
KernelQuery kernel_query(const LoweredPlan& plan, std::int64_t row_bytes);

// Sets the prefetch distance of a plan whose kernel is chosen, and what it writes with non-temporal
// stores. The result does not depend on either.
void choose_movement(const Tuning& tuning, LoweredPlan& plan);

// Removes the innermost loop from a merged nest if it is a contiguous row: no address varies along
// it and both sides step by one element. Returns the row's length in elements; 1 if there is no
// such loop. Law: the points of the new nest, each followed by the elements of its row, are the
// points of the old one.
std::int64_t take_row(LoopNest& nest, std::int64_t element_bytes);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_CHOOSE_MOVEMENT_H_
