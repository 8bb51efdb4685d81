#include "src/dialects/gather_checks.h"
#include "src/dialects/maps.h"
#include "src/dialects/openvino/build.h"
#include "src/dialects/openvino/schema.h"

namespace windrow::internal {

Result<Operation> build(const openvino::GatherElements& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("openvino", "GatherElements", op.version);
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  if (Status status = check_common_rank(rules, data, indices); !status) return status;
  const auto axis = normal_axis(op.axis, data.rank());
  if (!axis) return axis_error(rules, op.axis, "data", data.rank());
  for (int d = 0; d < data.rank(); ++d)
    if (d != *axis && indices[d] != data[d])
      return rules.broken(ErrorCode::kShape, "C2",
                          "indices have shape " + to_string(indices) + " and data has shape " +
                              to_string(data) + ": they differ in axis " + std::to_string(d));
  Operation operation;
  operation.map = element_map(data, indices, *axis, {policy_of(op, options)});
  operation.result_shape = indices;
  operation.index_constraint = rules.label("C3");
  return operation;
}

}  // namespace windrow::internal
