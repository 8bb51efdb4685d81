#include "src/reference/indices.h"
#include "src/reference/onnx.h"
#include "src/reference/per_element.h"

namespace windrow::internal::reference {

Result<Tensor> run(const onnx::GatherElements& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "GatherElements", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  if (Status status = check_gather_ranks(call); !status) return status;
  const auto axis = check_axis(call, op.axis, "data", call.data().shape.rank());
  if (!axis) return axis.error();
  if (Status status = check_window(call, "C2", *axis); !status) return status;
  return gather_elements(call, {"C3"}, *axis);
}

}  // namespace windrow::internal::reference
