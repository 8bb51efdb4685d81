#include "src/reference/along_axis.h"
#include "src/reference/indices.h"
#include "src/reference/onnx.h"

namespace windrow::internal::reference {

Result<Tensor> run(const onnx::Gather& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "Gather", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  const bool strict_1 = op.version == 1 && call.strict();
  return gather_slices(call, strict_1 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C3"},
                       op.axis);
}

}  // namespace windrow::internal::reference
