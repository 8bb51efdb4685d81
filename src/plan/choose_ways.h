#ifndef WINDROW_PLAN_CHOOSE_WAYS_H_
#define WINDROW_PLAN_CHOOSE_WAYS_H_

#include <cstdint>
#include <optional>

#include "src/plan/lower.h"
#include "src/plan/tuning.h"
#include "src/plan/ways.h"
#include "windrow/status.h"

namespace windrow::internal {

// Sets the candidates of a plan whose kernel is chosen, its flat runs, stores and fetches. The
// tuning's kernel set must be one of this machine. Law: the last candidate serves every run, and no
// candidate changes the result.
void choose_ways(const Tuning& tuning, LoweredPlan& plan);

// The points of a plan that can run as one block. Returns nothing if the plan is too large, has
// shared loops or moves strings, if an axis has more than one index or a check of its own, or if
// the direct tensor or an index tensor is not walked in even steps. Law: point number p of the
// addressed nest is where EvenPoints says, and its offset is offsets[p] plus the sum of coordinates
// * multipliers.
std::optional<EvenPoints> find_even_points(const LoweredPlan& plan);

// Sets family and kernel of a plan whose rows are known. Errors: kUnsupported if there is no kernel
// for its reduction.
Status choose_kernel(LoweredPlan& plan);

// Sets what a plan whose kernel is chosen writes with non-temporal stores. The result does not
// depend on it.
void choose_stores(const Tuning& tuning, LoweredPlan& plan);

// Sets what a plan whose ways are chosen prefetches. The result does not depend on it.
void choose_fetches(const Tuning& tuning, LoweredPlan& plan);

// Removes the innermost loop from a merged nest if it is a contiguous row: no address varies along
// it and both sides step by one element. Returns the row's length in elements; 1 if there is no
// such loop. Law: the points of the new nest, each followed by the elements of its row, are the
// points of the old one.
std::int64_t take_row(LoopNest& nest, std::int64_t element_bytes);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_CHOOSE_WAYS_H_
