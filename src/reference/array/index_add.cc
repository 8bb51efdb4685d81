#include "src/reference/array.h"
#include "src/reference/array/index_rows.h"

namespace windrow::internal::reference {

Result<Tensor> run(const array::IndexAdd& op, Inputs inputs, const CallOptions& options) {
  const Call call("array", "IndexAdd", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  return fold_rows(call, op.axis, {Reduction::kAdd});
}

}  // namespace windrow::internal::reference
