#include "src/dialects/scatter.h"

#include <string>

#include "src/dialects/gather_checks.h"
#include "src/dialects/tensorrt/build.h"
#include "src/dialects/tensorrt/release.h"
#include "src/dialects/tensorrt/schema.h"
#include "src/dialects/tensorrt/settings.h"

namespace windrow::internal {
namespace {

// C1, A1, C2, C3 of mode ELEMENT.
Status check_elements(const Rules& rules, const tensorrt::Scatter& op,
                      std::span<const TensorSpec> inputs) {
  if (Status status = check_element_ranks(rules, inputs); !status) return status;
  if (Status status = check_layer_axis(rules, op.axis, inputs[0].shape.rank()); !status)
    return status;
  return check_element_shapes(rules, inputs, static_cast<int>(op.axis));
}

// C1, C2, C3 of mode ND.
Status check_tuples(const Rules& rules, std::span<const TensorSpec> inputs) {
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  if (Status status = check_tuple_ranks(rules, data, indices); !status) return status;
  if (indices.back() < 1 || indices.back() > data.rank())
    return rules.broken(ErrorCode::kShape, "C2",
                        "index tuples have length " + std::to_string(indices.back()) +
                            ", must be in [1, " + std::to_string(data.rank()) + "]");
  return check_tuple_shapes(rules, inputs, false);
}

}  // namespace

Result<Operation> build(const tensorrt::Scatter& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("tensorrt", "Scatter", op.version);
  if (Status status = check_release_types(rules, Layer::kScatter, op.version, inputs[0].dtype,
                                          inputs[1].dtype, options);
      !status)
    return status;
  if (Status status = check_mode(rules, op.mode, {"ELEMENT", "ND"}); !status) return status;
  const bool tuples = op.mode == "ND";
  if (Status status = tuples ? check_tuples(rules, inputs) : check_elements(rules, op, inputs);
      !status)
    return status;
  if (Status status = check_release_rank(rules, inputs, 0, options); !status) return status;
  // TensorRT says nothing of indices outside [0, s-1].
  ScatterUse use;
  use.indices = {policy_of(op, options), Negatives::kCountFromEnd};
  if (options.strict) use.indices = {OutOfRange::kError, Negatives::kRefused};
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  Operation operation =
      scatter_operation(rules, inputs,
                        tuples ? tuple_map(data, indices, 0, use.indices)
                               : element_map(data, indices, static_cast<int>(op.axis), use.indices),
                        use, options);
  if (options.strict) operation.index_constraint = rules.label("S3");
  return operation;
}

}  // namespace windrow::internal
