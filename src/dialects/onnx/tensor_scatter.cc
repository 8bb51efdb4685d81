#include "src/dialects/maps.h"
#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/schema.h"

namespace windrow::internal {
namespace {

constexpr int kWriteIndices = 2;

// A3, C1, A1, C2, C3, C4. Sets `axis`.
Status check(const Rules& rules, const onnx::TensorScatter& op, std::span<const TensorSpec> inputs,
             int& axis) {
  const Shape& cache = inputs[0].shape;
  const Shape& update = inputs[1].shape;
  if (op.mode != "linear" && op.mode != "circular")
    return rules.broken(ErrorCode::kInvalidArgument, "A3",
                        "mode is '" + op.mode + "', must be linear or circular");
  const int r = cache.rank();
  if (r < 2 || update.rank() != r)
    return rules.broken(ErrorCode::kShape, "C1",
                        "past_cache has rank " + std::to_string(r) + " and update has rank " +
                            std::to_string(update.rank()) + ", must be equal and at least 2");
  const auto normal = normal_axis(op.axis, r);
  if (!normal) return axis_error(rules, op.axis, "past_cache", r);
  axis = *normal;
  if (axis == 0)
    return rules.broken(ErrorCode::kInvalidArgument, "A1",
                        "axis is " + std::to_string(op.axis) + ", the batch axis");
  const std::string shapes = "update has shape " + to_string(update) +
                             " and past_cache has shape " + to_string(cache) + ": ";
  for (int d = 0; d < r; ++d)
    if (d != axis && update[d] != cache[d])
      return rules.broken(ErrorCode::kShape, "C2",
                          shapes + "they differ in axis " + std::to_string(d));
  if (update[axis] > cache[axis])
    return rules.broken(ErrorCode::kShape, "C3",
                        shapes + "update is longer in axis " + std::to_string(axis));
  const bool indexed = inputs.size() > kWriteIndices && !inputs[kWriteIndices].is_absent();
  if (indexed && !(inputs[kWriteIndices].shape == Shape{cache[0]}))
    return rules.broken(ErrorCode::kShape, "C4",
                        "write_indices has shape " + to_string(inputs[kWriteIndices].shape) +
                            ", must have shape " + to_string(Shape{cache[0]}));
  return {};
}

}  // namespace

Result<Operation> build(const onnx::TensorScatter& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("onnx", "TensorScatter", op.version);
  int axis = 0;
  if (Status status = check(rules, op, inputs, axis); !status) return status;
  const Shape& cache = inputs[0].shape;
  const Shape& update = inputs[1].shape;
  const bool indexed = inputs.size() > kWriteIndices && !inputs[kWriteIndices].is_absent();
  Operation operation;
  operation.scatter = true;
  operation.updates_input = 1;
  operation.refuse_duplicates = refuses_duplicates(options, Combine::kAssign);
  operation.map =
      sequence_map(cache, update, axis,
                   {indexed ? kWriteIndices : -1, op.mode == "circular", policy_of(op, options)});
  operation.result_shape = cache;
  operation.index_constraint = rules.label("C5");
  operation.duplicate_constraint = rules.label("D1");
  return operation;
}

}  // namespace windrow::internal
