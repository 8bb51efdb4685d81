#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/reduction.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {
namespace {

// From C1 on.
Result<SymbolicShape> check_elements(const Rules& rules, std::int64_t axis,
                                     const KnownInputs& inputs) {
  if (Status status = check_element_ranks(rules, inputs); !status) return status;
  const auto normal = check_axis(rules, axis, inputs[0]);
  if (!normal) return normal.error();
  if (Status status = check_element_shapes(rules, inputs, *normal); !status) return status;
  return inputs[0].shape();
}

Operation build_elements(const Rules& rules, std::int64_t axis, std::span<const TensorSpec> inputs,
                         const ScatterUse& use, const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  return scatter_operation(
      rules, element_map(data, inputs[1].shape, normal_axis(axis, data.rank()), use.indices), use,
      options);
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const onnx::Scatter& op, const KnownInputs& inputs,
                            const CallOptions& /*options*/) {
  return check_elements(rules, op.axis, inputs);
}

Operation build(const Rules& rules, const onnx::Scatter& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const ScatterUse use = {Combine::kAssign, true, index_use(op, options, 11)};
  Operation operation = build_elements(rules, op.axis, inputs, use, options);
  if (op.version >= 11)
    operation.notes.push_back(rules.operator_name() +
                              ": Scatter is deprecated since opset 11; use ScatterElements");
  return operation;
}

Result<SymbolicShape> check(const Rules& rules, const onnx::ScatterElements& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_reduction(rules, op.reduction, onnx_reductions(op.version),
                                      inputs[0].dtype, &onnx_has_meaning);
      !status)
    return status;
  return check_elements(rules, op.axis, inputs);
}

Operation build(const Rules& rules, const onnx::ScatterElements& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const ScatterUse use = {find_combine(kOnnxReductions, op.reduction), true,
                          index_use(op, options)};
  return build_elements(rules, op.axis, inputs, use, options);
}

}  // namespace windrow::internal
