#ifndef WINDROW_EXPLAIN_EXPLAIN_WRITES_H_
#define WINDROW_EXPLAIN_EXPLAIN_WRITES_H_

#include <cstdint>
#include <span>
#include <string>

#include "src/access/access_map.h"
#include "windrow/explain.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Fills in a scatter's writes and cells, and the numbers of searched and of illegal updates.
// Preconditions: explanation.points is set, and every index tensor has its values.
void explain_writes(const Operation& operation, std::span<const TensorView> inputs,
                    const ExplainOptions& options, Explanation& explanation);

// Why an index makes a run of the operation fail, as a sentence without a full stop: it names the
// first illegal index, else, where indices must not fall, the first that is less than the one
// before it. Reads at most `most` index tuples. Empty if none of them makes the run fail.
// Precondition: every index tensor has its values.
std::string find_failure(const Operation& operation, std::span<const TensorView> inputs,
                         std::int64_t most);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_EXPLAIN_WRITES_H_
