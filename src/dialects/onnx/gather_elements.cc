#include "src/dialects/gather_checks.h"
#include "src/dialects/maps.h"
#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/schema.h"

namespace windrow::internal {

Result<Operation> build(const onnx::GatherElements& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("onnx", "GatherElements", op.version);
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  if (Status status = check_common_rank(rules, data, indices); !status) return status;
  const auto axis = normal_axis(op.axis, data.rank());
  if (!axis) return axis_error(rules, op.axis, "data", data.rank());
  if (Status status = check_not_longer(rules, "C2", data, indices, *axis); !status) return status;
  Operation operation;
  operation.map = element_map(data, indices, *axis, {policy_of(op, options)});
  operation.result_shape = indices;
  operation.index_constraint = rules.label("C3");
  return operation;
}

}  // namespace windrow::internal
