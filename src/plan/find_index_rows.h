#ifndef WINDROW_PLAN_FIND_INDEX_ROWS_H_
#define WINDROW_PLAN_FIND_INDEX_ROWS_H_

#include <memory>

#include "src/plan/lowered_plan.h"
#include "src/plan/tuning.h"

namespace windrow::internal {

// Whether the innermost loop has one index per lane, of enough lanes that are neighbours on all
// sides, so that an index row which holds one index only moves one row.
bool has_index_rows(const Tuning& tuning, const LoweredPlan& plan);

// The plan that moves all lanes of each index row as one row, by one index each, which stand side
// by side; null if no kernel takes such rows. Its movement and ways are not chosen yet.
std::shared_ptr<LoweredPlan> lower_index_rows(const LoweredPlan& plan);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_FIND_INDEX_ROWS_H_
