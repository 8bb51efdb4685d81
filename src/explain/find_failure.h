#ifndef WINDROW_EXPLAIN_FIND_FAILURE_H_
#define WINDROW_EXPLAIN_FIND_FAILURE_H_

#include <cstdint>
#include <span>
#include <string>

#include "src/access/operation.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Why an index makes a run of the operation fail, as a sentence without a full stop: it names the
// first illegal index, else, where indices must not fall, the first that is less than the one
// before it. Reads at most `most` index tuples. Empty if none of them makes the run fail.
// Precondition: every index tensor has its values.
std::string find_failure(const Operation& operation, std::span<const TensorView> inputs,
                         std::int64_t most);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_FIND_FAILURE_H_
