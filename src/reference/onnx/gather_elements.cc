#include <span>
#include <string>

#include "src/reference/indices.h"
#include "src/reference/onnx.h"
#include "src/reference/per_element.h"

namespace windrow::internal::reference {

Result<Tensor> run(const onnx::GatherElements& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("onnx", "GatherElements", op.version, Direction::kGather, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const int r = data.shape.rank();
  if (Status status = check_gather_ranks(call, data.shape, indices.shape); !status.ok())
    return status;
  const auto axis = normal_axis(op.axis, r);
  if (!axis) return call.invalid("A1", axis_text(op.axis, "data", r));
  if (Status status = check_window(call, "C2", *axis, data.shape, indices.shape); !status.ok())
    return status;
  return gather_elements(call, {"C3"}, data, indices, *axis);
}

}  // namespace windrow::internal::reference
