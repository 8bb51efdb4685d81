#ifndef WINDROW_PLAN_TAKE_ROW_H_
#define WINDROW_PLAN_TAKE_ROW_H_

#include <cstdint>

#include "src/plan/loop_nest.h"

namespace windrow::internal {

// Removes the innermost loop from a merged nest if it is a contiguous row: no address varies along
// it and both sides step by one element. Returns the row's length in elements; 1 if there is no
// such loop. Law: the points of the new nest, each followed by the elements of its row, are the
// points of the old one.
std::int64_t take_row(LoopNest& nest, std::int64_t element_bytes);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_TAKE_ROW_H_
