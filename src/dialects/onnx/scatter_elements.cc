#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/reduction.h"
#include "src/dialects/onnx/schema.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {
namespace {

// From C1 on.
Result<Operation> build_elements(const Rules& rules, std::int64_t axis_attribute,
                                 std::span<const TensorSpec> inputs, const ScatterUse& use,
                                 const CallOptions& options) {
  if (Status status = check_element_ranks(rules, inputs); !status) return status;
  const Shape& data = inputs[0].shape;
  const auto axis = normal_axis(axis_attribute, data.rank());
  if (!axis) return axis_error(rules, axis_attribute, "data", data.rank());
  if (Status status = check_element_shapes(rules, inputs, *axis); !status) return status;
  return scatter_operation(rules, inputs, element_map(data, inputs[1].shape, *axis, use.indices),
                           use, options);
}

}  // namespace

Result<Operation> build(const onnx::Scatter& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("onnx", "Scatter", op.version);
  // The text of Scatter-9 has no negative indices.
  const bool refuses_negatives = options.strict && op.version < 11;
  ScatterUse use;
  use.indices = {policy_of(op, options),
                 refuses_negatives ? Negatives::kRefused : Negatives::kCountFromEnd};
  Result<Operation> operation = build_elements(rules, op.axis, inputs, use, options);
  if (operation && op.version >= 11)
    operation->notes.push_back(rules.operator_name() +
                               ": Scatter is deprecated since opset 11; use ScatterElements");
  return operation;
}

Result<Operation> build(const onnx::ScatterElements& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("onnx", "ScatterElements", op.version);
  const auto combine = parse_reduction(rules, op.reduction, op.version, inputs[0].dtype);
  if (!combine) return combine.error();
  return build_elements(rules, op.axis, inputs, {*combine, true, {policy_of(op, options)}},
                        options);
}

}  // namespace windrow::internal
