#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/reduction.h"
#include "src/dialects/onnx/schema.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {

Result<Operation> build(const onnx::ScatterND& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("onnx", "ScatterND", op.version);
  const auto combine = parse_reduction(rules, op.reduction, op.version, inputs[0].dtype);
  if (!combine) return combine.error();
  if (Status status = check_tuple_shapes(rules, inputs, false); !status) return status;
  const ScatterUse use = {*combine, true, {policy_of(op, options)}};
  return scatter_operation(
      rules, inputs, tuple_map(inputs[0].shape, inputs[1].shape, 0, use.indices), use, options);
}

}  // namespace windrow::internal
