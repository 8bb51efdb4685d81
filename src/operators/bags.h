#ifndef WINDROW_OPERATORS_BAGS_H_
#define WINDROW_OPERATORS_BAGS_H_

#include <cstdint>
#include <span>

#include "windrow/array_attributes.h"
#include "windrow/export.h"
#include "windrow/options.h"
#include "windrow/plan.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Pooled look-ups whose rows come from elsewhere than one tensor in memory. Exported for
// windrow::tables and windrow::distributed.
namespace windrow::internal {

// What a pooled look-up reads besides the rows, all of it checked and none of it the caller's.
struct BagInputs {
  Tensor ids;      // of the caller's shape
  Tensor starts;   // int64 [bags + 1]: the id with which each bag begins, and the end of the last
  Tensor weights;  // of the shape of the ids, or absent
};

// Copies and checks the inputs of `plan`, a pooled look-up of the array dialect: table, which may
// be absent, ids, offsets and weights. Offsets are checked first, as in memory. Errors: those of
// Plan::run(), kOutOfMemory.
WINDROW_EXPORT Result<BagInputs> read_bags(const Plan& plan, std::span<const TensorView> given,
                                           const RunOptions& run);

// Rows that bags are made of.
struct BagRows {
  TensorView rows;     // [u] ++ the shape of a row
  TensorView places;   // int64 [n]: of each id the place of its row in `rows`, or -1: left out
  TensorView starts;   // int64 [bags + 1]: the id with which each bag begins
  TensorView weights;  // [n], or absent
};

// Folds each bag into its row of `out`, with the bits of `op` on the whole table; only the kernels
// of `options` matter. Errors: those of Plan::run().
WINDROW_EXPORT Status pool_rows(array::EmbeddingBag op, const BagRows& bags,
                                const CallOptions& options, const RunOptions& run,
                                const MutableTensorView& out);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_BAGS_H_
