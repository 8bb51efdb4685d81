#include <algorithm>

#include "src/dialects/maps.h"
#include "src/dialects/openvino/axis_input.h"
#include "src/dialects/openvino/build.h"
#include "src/dialects/openvino/schema.h"

namespace windrow::internal {
namespace {

constexpr int kAxis = 2;

// A4. Sets `batch_dims`, counted from the front.
Status check_batch_dims(const Rules& rules, std::int64_t given, int r, int q, int axis,
                        int& batch_dims) {
  const int most = std::min(r, q);
  const std::int64_t normal = given < 0 ? given + q : given;
  if (given < -most || given > most || normal < 0 || normal > std::min(q, axis))
    return rules.broken(ErrorCode::kInvalidArgument, "A4",
                        "batch_dims is " + std::to_string(given) + ", must be in [" +
                            std::to_string(-most) + ", " + std::to_string(most) +
                            "] and, counted from the front of indices, at most axis " +
                            std::to_string(axis) + " (data of rank " + std::to_string(r) +
                            ", indices of rank " + std::to_string(q) + ")");
  batch_dims = static_cast<int>(normal);
  return {};
}

// C2, C3.
Status check_shapes(const Rules& rules, const Shape& data, const Shape& indices, int batch_dims) {
  for (int d = 0; d < batch_dims; ++d)
    if (data[d] != indices[d])
      return rules.broken(ErrorCode::kShape, "C2",
                          "data has shape " + to_string(data) + " and indices have shape " +
                              to_string(indices) + ": they differ in batch axis " +
                              std::to_string(d));
  const int rank = data.rank() + indices.rank() - 1 - batch_dims;
  if (rank <= kMaxRank) return {};
  return rules.broken(ErrorCode::kShape, "C3",
                      "the result has rank " + std::to_string(rank) + ", must be at most " +
                          std::to_string(kMaxRank));
}

}  // namespace

Result<Operation> build(const openvino::Gather& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("openvino", "Gather", op.version);
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  if (data.rank() < 1)
    return rules.broken(ErrorCode::kShape, "C1", "data has rank 0, must have rank 1 or more");
  const Result<int> axis = read_axis_input(rules, inputs[kAxis], data.rank());
  if (!axis) return axis.error();
  int batch_dims = 0;
  if (Status status =
          check_batch_dims(rules, op.batch_dims, data.rank(), indices.rank(), *axis, batch_dims);
      !status)
    return status;
  if (Status status = check_shapes(rules, data, indices, batch_dims); !status) return status;
  // The texts of Gather-1 and -7 know indices in [0, s-1] only.
  const bool refuses = options.strict && op.version < 8;
  Operation operation;
  operation.map =
      slice_map(data, indices, *axis, batch_dims,
                {policy_of(op, options), refuses ? Negatives::kRefused : Negatives::kCountFromEnd});
  operation.result_shape = operation.map.loops;
  operation.fixed_inputs = {kAxis};
  operation.index_constraint = rules.label(refuses ? "S1" : "C4");
  return operation;
}

}  // namespace windrow::internal
