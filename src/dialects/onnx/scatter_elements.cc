#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/rules.h"

namespace windrow::internal {
namespace {

// C1, A1, C2, C3. Sets `axis`.
Status check(const Rules& rules, std::int64_t axis_attribute, std::span<const TensorSpec> inputs,
             int& axis) {
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  const Shape& updates = inputs[2].shape;
  const int r = data.rank();
  if (r < 1 || indices.rank() != r || updates.rank() != r)
    return rules.broken(ErrorCode::kShape, "C1",
                        "data, indices and updates have ranks " + std::to_string(r) + ", " +
                            std::to_string(indices.rank()) + " and " +
                            std::to_string(updates.rank()) + ", must be equal and at least 1");
  const auto normal = normal_axis(axis_attribute, r);
  if (!normal) return axis_error(rules, axis_attribute, "data", r);
  axis = *normal;
  if (!(updates == indices))
    return rules.broken(ErrorCode::kShape, "C2",
                        "updates have shape " + to_string(updates) +
                            ", must have the shape of indices, " + to_string(indices));
  for (int d = 0; d < r; ++d)
    if (d != axis && indices[d] > data[d])
      return rules.broken(ErrorCode::kShape, "C3",
                          "indices have shape " + to_string(indices) + " and data has shape " +
                              to_string(data) + ": indices are longer in axis " +
                              std::to_string(d));
  return {};
}

Operation scatter_operation(const Rules& rules, std::span<const TensorSpec> inputs, int axis,
                            Combine combine, Negatives negatives, const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  Operation operation;
  operation.scatter = true;
  operation.updates_input = 2;
  operation.combine = combine;
  operation.refuse_duplicates = refuses_duplicates(options, combine);
  operation.map.loops = inputs[1].shape;
  operation.map.axes = element_axes(data, inputs[1].shape, axis, policy_of(options), negatives);
  operation.result_shape = data;
  operation.index_constraint = rules.label(negatives == Negatives::kRefused ? "S1" : "C4");
  operation.duplicate_constraint = rules.label("D1");
  return operation;
}

}  // namespace

Result<Operation> build(const onnx::Scatter& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("Scatter", op.version);
  int axis = 0;
  if (Status status = check(rules, op.axis, inputs, axis); !status) return status;
  // The text of Scatter-9 has no negative indices.
  const bool refuses_negatives = options.strict && op.version < 11;
  Operation operation = scatter_operation(
      rules, inputs, axis, Combine::kAssign,
      refuses_negatives ? Negatives::kRefused : Negatives::kCountFromEnd, options);
  if (op.version >= 11)
    operation.notes.push_back(rules.operator_name() +
                              ": Scatter is deprecated since opset 11; use ScatterElements");
  return operation;
}

Result<Operation> build(const onnx::ScatterElements& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("ScatterElements", op.version);
  const auto combine = parse_reduction(rules, op.reduction, op.version, inputs[0].dtype);
  if (!combine) return combine.error();
  int axis = 0;
  if (Status status = check(rules, op.axis, inputs, axis); !status) return status;
  return scatter_operation(rules, inputs, axis, *combine, Negatives::kCountFromEnd, options);
}

}  // namespace windrow::internal
