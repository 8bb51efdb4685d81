#ifndef WINDROW_REFERENCE_ARRAY_INDEX_ROWS_H_
#define WINDROW_REFERENCE_ARRAY_INDEX_ROWS_H_

#include <cstdint>

#include "src/reference/call.h"
#include "src/reference/loops.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal::reference {

// IndexAdd and IndexReduce from C1 on.
Result<Tensor> fold_rows(const Call& call, std::int64_t axis, const Fold& fold);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_ARRAY_INDEX_ROWS_H_
