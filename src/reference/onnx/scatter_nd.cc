#include <span>

#include "src/reference/onnx.h"
#include "src/reference/onnx/reduction.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {

Result<Tensor> run(const onnx::ScatterND& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("onnx", "ScatterND", op.version, Direction::kScatter, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const TensorView& updates = inputs[2];
  const auto reduction = parse_reduction(call, op.reduction, op.version, data.dtype);
  if (!reduction) return reduction.error();
  Status status = check_tuple_ranks(call, data.shape, indices.shape);
  if (status.ok()) status = check_tuple_length(call, data.shape, indices.shape);
  if (!status.ok()) return status;
  if (updates.shape != tuple_updates_shape(data.shape, indices.shape))
    return wrong_tuple_updates(call, data.shape, indices.shape, updates.shape);
  return scatter_tuples(call, {"C4"}, data, indices, updates, {*reduction});
}

}  // namespace windrow::internal::reference
