#ifndef WINDROW_EXPLAIN_FIND_FAILURE_H_
#define WINDROW_EXPLAIN_FIND_FAILURE_H_

#include <cstdint>
#include <span>
#include <string>

#include "src/access/operation.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Why a run of the operation fails because of an index, in a sentence without a full stop: the
// first index that is not legal, else the first that is smaller than the one before it where they
// must not fall. Reads at most `most` index tuples. Empty: nothing that was read fails the run.
// Precondition: every index tensor has its values.
std::string find_failure(const Operation& operation, std::span<const TensorView> inputs,
                         std::int64_t most);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_FIND_FAILURE_H_
