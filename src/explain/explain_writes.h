#ifndef WINDROW_EXPLAIN_EXPLAIN_WRITES_H_
#define WINDROW_EXPLAIN_EXPLAIN_WRITES_H_

#include <span>

#include "src/access/operation.h"
#include "windrow/explain.h"

namespace windrow::internal {

// Fills in a scatter's writes and cells, and the numbers of searched and of illegal updates.
// Preconditions: explanation.points is set, and every index tensor has its values.
void explain_writes(const Operation& operation, std::span<const TensorView> inputs,
                    const ExplainOptions& options, Explanation& explanation);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_EXPLAIN_WRITES_H_
