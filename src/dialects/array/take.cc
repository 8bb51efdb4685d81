#include "src/dialects/array/build.h"
#include "src/dialects/array/indices.h"
#include "src/dialects/array/schema.h"

namespace windrow::internal {

Result<Operation> build(const array::Take& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("array", "Take", op.version);
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  if (data.rank() < 1)
    return rules.broken(ErrorCode::kShape, "C1", "data has rank 0, must have rank 1 or more");
  const auto axis = normal_axis(op.axis, data.rank());
  if (!axis) return axis_error(rules, op.axis, "data", data.rank());
  const int rank = data.rank() + indices.rank() - 1;
  if (rank > kMaxRank)
    return rules.broken(ErrorCode::kShape, "C2",
                        "the result has rank " + std::to_string(rank) + ", must be at most " +
                            std::to_string(kMaxRank));
  Operation operation;
  operation.map = slice_map(data, indices, *axis, 0, array_indices(policy_of(op, options)));
  operation.result_shape = operation.map.loops;
  operation.index_constraint = rules.label("C3");
  return operation;
}

}  // namespace windrow::internal
