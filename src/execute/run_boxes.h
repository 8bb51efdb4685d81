#ifndef WINDROW_EXECUTE_RUN_BOXES_H_
#define WINDROW_EXECUTE_RUN_BOXES_H_

#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// Whether a scatter can be divided into this number of tasks, 2 or more, only by its cells.
bool must_cut_cells(const LoweredPlan& plan, int tasks);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_BOXES_H_
