#include "src/reference/along_axis.h"
#include "src/reference/array.h"
#include "src/reference/array/indices.h"

namespace windrow::internal::reference {

Result<Tensor> run(const array::Take& op, Inputs inputs, const CallOptions& options) {
  const Call call("array", "Take", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  return gather_slices(call, array_indices(call, "C3"), op.axis);
}

}  // namespace windrow::internal::reference
