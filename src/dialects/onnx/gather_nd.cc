#include "src/dialects/gather_checks.h"
#include "src/dialects/maps.h"
#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/schema.h"

namespace windrow::internal {
namespace {

// C1, A1, C2, C3, C4.
Status check(const Rules& rules, const onnx::GatherND& op, const Shape& data,
             const Shape& indices) {
  if (Status status = check_tuple_ranks(rules, data, indices); !status) return status;
  const int r = data.rank();
  if (Status status = check_tuple_batch_dims(rules, "A1", op.batch_dims, r, indices.rank());
      !status)
    return status;
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
  return check_tuple_result_rank(rules, "C4", data, indices, b);
}

}  // namespace

Result<Operation> build(const onnx::GatherND& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("onnx", "GatherND", op.version);
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  if (Status status = check(rules, op, data, indices); !status) return status;
  Operation operation;
  operation.map =
      tuple_map(data, indices, static_cast<int>(op.batch_dims), {policy_of(op, options)});
  operation.result_shape = operation.map.loops;
  operation.index_constraint = rules.label("C5");
  return operation;
}

}  // namespace windrow::internal
