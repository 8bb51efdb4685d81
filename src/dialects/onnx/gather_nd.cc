#include <algorithm>

#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/rules.h"

namespace windrow::internal {
namespace {

// C1, A1, C2, C3, C4.
Status check(const Rules& rules, const onnx::GatherND& op, const Shape& data,
             const Shape& indices) {
  const int r = data.rank();
  const int q = indices.rank();
  if (r < 1 || q < 1)
    return rules.broken(ErrorCode::kShape, "C1",
                        "data has rank " + std::to_string(r) + " and indices have rank " +
                            std::to_string(q) + ", both must be 1 or more");
  if (op.batch_dims < 0 || op.batch_dims >= std::min(q, r))
    return rules.broken(ErrorCode::kInvalidArgument, "A1",
                        "batch_dims is " + std::to_string(op.batch_dims) + ", must be in [0, " +
                            std::to_string(std::min(q, r) - 1) + "] for data of rank " +
                            std::to_string(r) + " and indices of rank " + std::to_string(q));
  const int b = static_cast<int>(op.batch_dims);
  for (int d = 0; d < b; ++d)
    if (data[d] != indices[d])
      return rules.broken(ErrorCode::kShape, "C2",
                          "data has shape " + to_string(data) + " and indices have shape " +
                              to_string(indices) + ": they differ in batch axis " +
                              std::to_string(d));
  const std::int64_t tuple = indices.back();
  if (tuple < 1 || tuple > r - b)
    return rules.broken(ErrorCode::kShape, "C3",
                        "index tuples have length " + std::to_string(tuple) + ", must be in [1, " +
                            std::to_string(r - b) + "] for data of rank " + std::to_string(r) +
                            " and batch_dims " + std::to_string(b));
  const int rank = q - 1 + r - b - static_cast<int>(tuple);
  if (rank > kMaxRank)
    return rules.broken(ErrorCode::kShape, "C4",
                        "the result has rank " + std::to_string(rank) + ", must be at most " +
                            std::to_string(kMaxRank));
  return {};
}

}  // namespace

Result<Operation> build(const onnx::GatherND& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("GatherND", op.version);
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  if (Status status = check(rules, op, data, indices); !status) return status;
  const int b = static_cast<int>(op.batch_dims);
  const int k = static_cast<int>(indices.back());
  Operation operation;
  operation.map.loops.append(indices, 0, indices.rank() - 1);
  operation.map.loops.append(data, b + k, data.rank());
  operation.map.axes = tuple_axes(data, indices, b, policy_of(options));
  operation.result_shape = operation.map.loops;
  operation.index_constraint = rules.label("C5");
  return operation;
}

}  // namespace windrow::internal
