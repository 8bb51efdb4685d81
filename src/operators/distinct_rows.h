#ifndef WINDROW_OPERATORS_DISTINCT_ROWS_H_
#define WINDROW_OPERATORS_DISTINCT_ROWS_H_

#include <cstdint>

#include "windrow/export.h"
#include "windrow/options.h"
#include "windrow/plan.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// The rows of a table that the ids of a call name.
struct DistinctRows {
  Tensor rows;    // int64 [u]: their numbers, ascending, without repeats
  Tensor places;  // int64 [n]: of each id the place of its row in `rows`, or -1: left out
};

// Normalises ids [n], which have been checked, of a table with this number of rows, as a scatter
// with these options does. Exported for windrow::tables and windrow::distributed. Errors: those of
// row_numbers().
WINDROW_EXPORT Result<DistinctRows> distinct_rows(std::int64_t table_rows, const TensorView& ids,
                                                  const CallOptions& options,
                                                  const RunOptions& run);

// The last update of each row, int64 [u]. Exported for windrow::tables. Errors: kOutOfMemory.
WINDROW_EXPORT Result<Tensor> last_updates(const DistinctRows& written);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_DISTINCT_ROWS_H_
