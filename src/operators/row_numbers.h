#ifndef WINDROW_OPERATORS_ROW_NUMBERS_H_
#define WINDROW_OPERATORS_ROW_NUMBERS_H_

#include <cstdint>

#include "windrow/export.h"
#include "windrow/options.h"
#include "windrow/plan.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// The row of a table that each index means, int64 of the shape of `ids`, or kZeroRow
// (taken_rows.h) for padding and what `zero` or `skip` leaves out. The table has `table_rows` rows;
// policy, negative indices and padding are those of `options`. Each index is read once. Exported
// for windrow::tables and windrow::distributed. Errors: those of array::take() about indices,
// kOutOfMemory, kInterrupted.
WINDROW_EXPORT Result<Tensor> row_numbers(std::int64_t table_rows, const TensorView& ids,
                                          const CallOptions& options, const RunOptions& run);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_ROW_NUMBERS_H_
