#include <optional>
#include <string>

#include "src/dialects/infer_scatter.h"
#include "src/dialects/onnx/infer_shape.h"
#include "src/dialects/onnx/reduction.h"

namespace windrow::internal {
namespace {

// Rule A3 without the element type, which is not known here.
Status check_reduction(const Rules& rules, const std::string& reduction, int version) {
  return parse_reduction(rules, reduction, version, DType::kAbsent).error();
}

// Rules C1 to C3 and A1 of Scatter and ScatterElements; the result has the shape of data.
Result<SymbolicShape> infer_elements(const Rules& rules, std::int64_t axis,
                                     std::span<const SymbolicShape> inputs) {
  if (Status status = check_element_ranks(rules, inputs); !status) return status;
  const InferredInput data("data", inputs[0]);
  if (Status status = check_axis(rules, axis, data); !status) return status;
  const auto normal =
      data.has_rank() ? std::optional(resolve_axis(axis, data.rank())) : std::nullopt;
  if (Status status = check_element_dims(rules, inputs, normal); !status) return status;
  return inputs[0];
}

}  // namespace

Result<SymbolicShape> infer_shape(const onnx::Scatter& op, std::span<const SymbolicShape> inputs) {
  return infer_elements(Rules("onnx", "Scatter", op.version), op.axis, inputs);
}

Result<SymbolicShape> infer_shape(const onnx::ScatterElements& op,
                                  std::span<const SymbolicShape> inputs) {
  const Rules rules("onnx", "ScatterElements", op.version);
  if (Status status = check_reduction(rules, op.reduction, op.version); !status) return status;
  return infer_elements(rules, op.axis, inputs);
}

Result<SymbolicShape> infer_shape(const onnx::ScatterND& op,
                                  std::span<const SymbolicShape> inputs) {
  const Rules rules("onnx", "ScatterND", op.version);
  if (Status status = check_reduction(rules, op.reduction, op.version); !status) return status;
  if (Status status = check_tuple_dims(rules, inputs, false); !status) return status;
  return inputs[0];
}

Result<SymbolicShape> infer_shape(const onnx::TensorScatter& op,
                                  std::span<const SymbolicShape> inputs) {
  const Rules rules("onnx", "TensorScatter", op.version);
  const InferredInput cache("past_cache", inputs[0]);
  const InferredInput update("update", inputs[1]);
  const SymbolicShape absent;
  const InferredInput write("write_indices", inputs.size() > 2 ? inputs[2] : absent);
  if (op.mode != "linear" && op.mode != "circular")
    return rules.broken(ErrorCode::kInvalidArgument, "A3",
                        "mode is '" + op.mode + "', must be 'linear' or 'circular'");
  for (const InferredInput* input : {&cache, &update}) {
    if (Status status = check_rank(rules, "C1", *input, 2); !status) return status;
  }
  if (Status status = check_same_rank(rules, "C1", cache, update); !status) return status;
  const InferredInput& ranked = cache.has_rank() ? cache : update;
  if (Status status = check_axis(rules, op.axis, ranked); !status) return status;
  if (op.axis == 0 || (ranked.has_rank() && op.axis == -ranked.rank()))
    return rules.broken(ErrorCode::kInvalidArgument, "A1",
                        "axis is " + std::to_string(op.axis) + ", the batch axis");
  for (std::int64_t d = 0; cache.has_rank() && update.has_rank() && d < cache.rank(); ++d) {
    const bool is_axis = d == resolve_axis(op.axis, cache.rank());
    if (!is_axis && must_differ(update[d], cache[d]))
      return rules.broken(ErrorCode::kShape, "C2",
                          compare_dims(update, cache, d) + ": they must be equal");
    if (is_axis && must_exceed(update[d], cache[d]))
      return rules.broken(ErrorCode::kShape, "C3",
                          compare_dims(update, cache, d) + ": update must not be longer");
  }
  if (write.has_rank() && write.rank() != 1)
    return rules.broken(ErrorCode::kShape, "C4",
                        "write_indices has rank " + std::to_string(write.rank()) + ", must be 1");
  if (write.has_rank() && cache.has_rank() && must_differ(write[0], cache[0]))
    return rules.broken(ErrorCode::kShape, "C4",
                        compare_dims(write, cache, 0) + ": they must be equal");
  return inputs[0];
}

}  // namespace windrow::internal
