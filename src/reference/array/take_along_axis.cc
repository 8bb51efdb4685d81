#include "src/reference/array.h"
#include "src/reference/array/element_broadcast.h"
#include "src/reference/array/indices.h"

namespace windrow::internal::reference {

Result<Tensor> run(const array::TakeAlongAxis& op, Inputs inputs, const CallOptions& options) {
  const Call call("array", "TakeAlongAxis", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  const auto axis = check_along_axis(call, op.axis);
  if (!axis) return axis.error();
  const Shape shape = addressed_shape(call, *axis);
  if (Status status = call.check_result(call.data().dtype, shape); !status) return status;
  const auto rule = check_indices(call, array_indices(call, "C3"), *axis);
  if (!rule) return rule.error();
  return gather(call, call.data(), shape, broadcast_address(call, *rule));
}

}  // namespace windrow::internal::reference
