#include <span>

#include "src/reference/array.h"
#include "src/reference/array/element_broadcast.h"
#include "src/reference/array/indices.h"

namespace windrow::internal::reference {

Result<Tensor> run(const array::TakeAlongAxis& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("array", "TakeAlongAxis", op.version, Direction::kGather, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const auto axis = check_along_axis(call, op.axis, data.shape, indices.shape);
  if (!axis) return axis.error();
  const Shape shape = addressed_shape(data.shape, indices.shape, *axis);
  Status status = call.check_result(data.dtype, shape);
  if (!status.ok()) return status;
  const IndexUse use = array_indices(call, "C3");
  const IndexRule rule = index_rule(call, use, data.shape, *axis);
  status = check_indices(call, use.rule, indices, rule);
  if (!status.ok()) return status;
  return gather(call, data, shape, broadcast_address(rule, data.shape, indices));
}

}  // namespace windrow::internal::reference
