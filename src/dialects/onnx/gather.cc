#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/rules.h"

namespace windrow::internal {

Result<Operation> build(const onnx::Gather& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("Gather", op.version);
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
  Shape& loops = operation.map.loops;
  loops.append(data, 0, *axis);
  loops.append(indices, 0, q);
  loops.append(data, *axis + 1, r);
  for (int d = 0; d < r; ++d) {
    if (d != *axis) {
      operation.map.axes.push_back(loop_axis(data[d], d < *axis ? d : d - 1 + q));
      continue;
    }
    std::vector<IndexCoordinate> coordinates;
    for (int j = 0; j < q; ++j) coordinates.push_back({*axis + j, 0});
    operation.map.axes.push_back(
        index_axis(data[d], 1, std::move(coordinates), policy_of(options),
                   refuses_negatives ? Negatives::kRefused : Negatives::kCountFromEnd));
  }
  operation.result_shape = loops;
  operation.index_constraint = rules.label(refuses_negatives ? "S1" : "C3");
  return operation;
}

}  // namespace windrow::internal
