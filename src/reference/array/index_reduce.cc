#include "src/reference/array.h"
#include "src/reference/array/index_rows.h"
#include "src/reference/array/reduction.h"

namespace windrow::internal::reference {

Result<Tensor> run(const array::IndexReduce& op, Inputs inputs, const CallOptions& options) {
  const Call call("array", "IndexReduce", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  const auto reduction = parse_array_reduction(call, op.reduction);
  if (!reduction) return reduction.error();
  return fold_rows(call, op.axis, {*reduction, op.use_init_val});
}

}  // namespace windrow::internal::reference
