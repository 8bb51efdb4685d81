#include <optional>

#include "src/dialects/gather_checks.h"
#include "src/dialects/maps.h"
#include "src/dialects/openvino/build.h"
#include "src/dialects/openvino/schema.h"

namespace windrow::internal {
namespace {

// C2: GatherND-8 broadcasts its batch axes.
Status check_batch_axes(const Rules& rules, const openvino::GatherND& op, const Shape& data,
                        const Shape& indices) {
  for (int d = 0; d < static_cast<int>(op.batch_dims); ++d) {
    const bool broadcasts = op.version >= 8 && (data[d] == 1 || indices[d] == 1);
    if (data[d] == indices[d] || broadcasts) continue;
    return rules.broken(ErrorCode::kShape, "C2",
                        "data has shape " + to_string(data) + " and indices have shape " +
                            to_string(indices) + ": they differ in batch axis " +
                            std::to_string(d) + (op.version >= 8 ? " and none is 1" : ""));
  }
  return {};
}

// C1, A4, C2, C3, C4.
Status check(const Rules& rules, const openvino::GatherND& op, const Shape& data,
             const Shape& indices) {
  if (Status status = check_tuple_ranks(rules, data, indices); !status) return status;
  const int r = data.rank();
  const int q = indices.rank();
  if (Status status = check_tuple_batch_dims(rules, "A4", op.batch_dims, r, q); !status)
    return status;
  if (Status status = check_batch_axes(rules, op, data, indices); !status) return status;
  const int b = static_cast<int>(op.batch_dims);
  if (indices.back() > r - b)
    return rules.broken(ErrorCode::kShape, "C3",
                        "index tuples have length " + std::to_string(indices.back()) +
                            ", must be at most " + std::to_string(r - b) + " for data of rank " +
                            std::to_string(r) + " and batch_dims " + std::to_string(b));
  return check_tuple_result_rank(rules, "C4", data, indices, b);
}

// GatherND-5 joins the batch axes of its result. Nothing if their product exceeds 2^63-1.
std::optional<Shape> join_batch_axes(const Shape& loops, int batch_dims) {
  Shape batch;
  batch.append(loops, 0, batch_dims);
  const auto count = element_count(batch);
  if (!count) return std::nullopt;
  Shape joined{*count};
  joined.append(loops, batch_dims, loops.rank());
  return joined;
}

}  // namespace

Result<Operation> build(const openvino::GatherND& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("openvino", "GatherND", op.version);
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  if (Status status = check(rules, op, data, indices); !status) return status;
  const int b = static_cast<int>(op.batch_dims);
  // The text of GatherND-5 knows indices in [0, s-1] only.
  const bool refuses = options.strict && op.version < 8;
  Operation operation;
  operation.map =
      tuple_map(data, indices, b,
                {policy_of(op, options), refuses ? Negatives::kRefused : Negatives::kCountFromEnd});
  operation.result_shape = operation.map.loops;
  if (op.version < 8 && b > 1) {
    const auto joined = join_batch_axes(operation.map.loops, b);
    if (!joined)
      return rules.broken(ErrorCode::kShape, "CALL-I2",
                          "the batch axes of the result, " + to_string(operation.map.loops) +
                              ", joined into one exceed 2^63-1");
    operation.result_shape = *joined;
  }
  operation.index_constraint = rules.label(refuses ? "S1" : "C5");
  return operation;
}

}  // namespace windrow::internal
