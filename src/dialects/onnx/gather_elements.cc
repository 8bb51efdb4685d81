#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/rules.h"

namespace windrow::internal {

Result<Operation> build(const onnx::GatherElements& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("GatherElements", op.version);
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  if (data.rank() < 1 || indices.rank() != data.rank())
    return rules.broken(ErrorCode::kShape, "C1",
                        "data has rank " + std::to_string(data.rank()) + " and indices have rank " +
                            std::to_string(indices.rank()) + ", must be equal and at least 1");
  const auto axis = normal_axis(op.axis, data.rank());
  if (!axis) return axis_error(rules, op.axis, "data", data.rank());
  for (int d = 0; d < data.rank(); ++d)
    if (d != *axis && indices[d] > data[d])
      return rules.broken(ErrorCode::kShape, "C2",
                          "indices have shape " + to_string(indices) + " and data has shape " +
                              to_string(data) + ": indices are longer in axis " +
                              std::to_string(d));
  Operation operation;
  operation.map.loops = indices;
  operation.map.axes =
      element_axes(data, indices, *axis, policy_of(options), Negatives::kCountFromEnd);
  operation.result_shape = indices;
  operation.index_constraint = rules.label("C3");
  return operation;
}

}  // namespace windrow::internal
