#include <optional>

#include "src/dialects/maps.h"
#include "src/dialects/openvino/build.h"
#include "src/dialects/openvino/schema.h"
#include "src/dialects/openvino/tuple_gather.h"

namespace windrow::internal {
namespace {

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
  if (Status status = check_tuple_gather(rules, tuple_gather(op), data, indices); !status)
    return status;
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
