#include "src/reference/onnx.h"
#include "src/reference/onnx/reduction.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {

Result<Tensor> run(const onnx::ScatterND& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "ScatterND", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  const auto reduction = parse_onnx_reduction(call, op.reduction, op.version);
  if (!reduction) return reduction.error();
  if (Status status = check_tuple_scatter(call); !status) return status;
  if (call.updates().shape != tuple_updates_shape(call)) return wrong_tuple_updates(call);
  return scatter_tuples(call, {"C4"}, call.updates(), {*reduction});
}

}  // namespace windrow::internal::reference
