#include "src/dialects/maps.h"
#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/schema.h"

namespace windrow::internal {

Result<Operation> build(const onnx::Gather& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("onnx", "Gather", op.version);
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  const int r = data.rank();
  const int q = indices.rank();
  if (r < 1)
    return rules.broken(ErrorCode::kShape, "C1", "data has rank 0, must have rank 1 or more");
  const auto axis = normal_axis(op.axis, r);
  if (!axis) return axis_error(rules, op.axis, "data", r);
  if (q + r - 1 > kMaxRank)
    return rules.broken(ErrorCode::kShape, "C2",
                        "the result has rank " + std::to_string(q + r - 1) + ", must be at most " +
                            std::to_string(kMaxRank));
  // The text of Gather-1 has no negative indices.
  const bool refuses_negatives = options.strict && op.version < 11;
  Operation operation;
  operation.map = slice_map(
      data, indices, *axis, 0,
      {policy_of(op, options), refuses_negatives ? Negatives::kRefused : Negatives::kCountFromEnd});
  operation.result_shape = operation.map.loops;
  operation.index_constraint = rules.label(refuses_negatives ? "S1" : "C3");
  return operation;
}

}  // namespace windrow::internal
