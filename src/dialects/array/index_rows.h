#ifndef WINDROW_DIALECTS_ARRAY_INDEX_ROWS_H_
#define WINDROW_DIALECTS_ARRAY_INDEX_ROWS_H_

#include <cstdint>
#include <span>

#include "src/access/operation.h"
#include "src/dialects/scatter.h"
#include "src/dialects/shape_rules.h"
#include "windrow/options.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// IndexAdd and IndexReduce from C1 on: C1: data of rank 1 or more; A1; C2: indices of rank 1; C3:
// the shape of updates.
Result<SymbolicShape> check_index_rows(const Rules& rules, std::int64_t axis,
                                       const KnownInputs& inputs);

Operation build_index_rows(const Rules& rules, std::int64_t axis,
                           std::span<const TensorSpec> inputs, const ScatterUse& use,
                           const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ARRAY_INDEX_ROWS_H_
