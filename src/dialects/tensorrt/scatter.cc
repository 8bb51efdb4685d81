#include "src/dialects/scatter.h"

#include "src/dialects/tensorrt/build.h"
#include "src/dialects/tensorrt/release.h"
#include "src/dialects/tensorrt/settings.h"

namespace windrow::internal {
namespace {

// C1, A1, C2, C3 of mode ELEMENT.
Status check_elements(const Rules& rules, const tensorrt::Scatter& op, const KnownInputs& inputs) {
  if (Status status = check_element_ranks(rules, inputs); !status) return status;
  if (Status status = check_layer_axis(rules, op.axis, inputs[0]); !status) return status;
  return check_element_shapes(rules, inputs, op.axis);
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const tensorrt::Scatter& op,
                            const KnownInputs& inputs, const CallOptions& options) {
  if (Status status = check_release_types(rules, Layer::kScatter, op.version, inputs[0].dtype,
                                          inputs[1].dtype, options);
      !status)
    return status;
  if (Status status = check_mode(rules, op.mode, {"ELEMENT", "ND"}); !status) return status;
  if (Status status = op.mode == "ND" ? check_tuple_shapes(rules, inputs, {.shortest_tuple = 1})
                                      : check_elements(rules, op, inputs);
      !status)
    return status;
  SymbolicShape result = inputs[0].shape();
  if (Status status = check_release_rank(rules, inputs, result, options); !status) return status;
  return result;
}

Operation build(const Rules& rules, const tensorrt::Scatter& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  // TensorRT says nothing of indices outside [0, s-1].
  ScatterUse use;
  use.indices = {policy_of(op, options), Negatives::kCountFromEnd};
  if (options.strict) use.indices = {OutOfRange::kError, Negatives::kRefused};
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  Operation operation = scatter_operation(
      rules,
      op.mode == "ND" ? tuple_map(data, indices, 0, use.indices)
                      : element_map(data, indices, static_cast<int>(op.axis), use.indices),
      use, options);
  if (options.strict) operation.index_constraint = rules.label("S3");
  return operation;
}

}  // namespace windrow::internal
