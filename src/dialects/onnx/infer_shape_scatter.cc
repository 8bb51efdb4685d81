#include <string>

#include "src/dialects/onnx/infer_rules.h"
#include "src/dialects/onnx/infer_shape.h"

namespace windrow::internal {
namespace {

// Rule A3 without the element type, which is not known here.
Status check_reduction(const Rules& rules, const std::string& reduction, int version) {
  return parse_reduction(rules, reduction, version, DType::kAbsent).error();
}

// Rules C1 to C3 and A1 of Scatter and ScatterElements; the result has the shape of data.
Result<SymbolicShape> infer_elements(const Rules& rules, std::int64_t raw_axis,
                                     std::span<const SymbolicShape> inputs) {
  const InferredInput data("data", inputs[0]);
  const InferredInput indices("indices", inputs[1]);
  const InferredInput updates("updates", inputs[2]);
  for (const InferredInput* input : {&data, &indices, &updates}) {
    if (Status status = check_rank(rules, "C1", *input, 1); !status) return status;
  }
  for (const auto& [a, b] :
       {std::pair(&data, &indices), std::pair(&data, &updates), std::pair(&indices, &updates)}) {
    if (Status status = check_same_rank(rules, "C1", *a, *b); !status) return status;
  }
  if (Status status = check_axis(rules, raw_axis, data); !status) return status;
  if (!indices.has_rank()) return inputs[0];
  for (std::int64_t d = 0; updates.has_rank() && d < indices.rank(); ++d) {
    if (must_differ(updates[d], indices[d]))
      return rules.broken(ErrorCode::kShape, "C2",
                          compare_dims(updates, indices, d) + ": the shapes must be equal");
  }
  if (!data.has_rank()) return inputs[0];
  const std::int64_t axis = resolve_axis(raw_axis, data.rank());
  for (std::int64_t d = 0; d < data.rank(); ++d) {
    if (d != axis && must_exceed(indices[d], data[d]))
      return rules.broken(ErrorCode::kShape, "C3",
                          compare_dims(indices, data, d) + ": indices must not be longer");
  }
  return inputs[0];
}

// Rule C3 of ScatterND, the tuples being `tuple` long.
Status check_nd_updates(const Rules& rules, const InferredInput& data, const InferredInput& indices,
                        const InferredInput& updates, std::int64_t tuple) {
  const std::int64_t outer = indices.rank() - 1;
  const std::int64_t rank = outer + data.rank() - tuple;
  if (updates.rank() != rank)
    return rules.broken(
        ErrorCode::kShape, "C3",
        "updates has rank " + std::to_string(updates.rank()) + ", must be " + std::to_string(rank));
  for (std::int64_t d = 0; d < rank; ++d) {
    const Dim& wanted = d < outer ? indices[d] : data[d - outer + tuple];
    if (must_differ(updates[d], wanted))
      return rules.broken(ErrorCode::kShape, "C3",
                          "updates has " + std::to_string(updates[d].value) + " at axis " +
                              std::to_string(d) + ", must have " + std::to_string(wanted.value));
  }
  return {};
}

}  // namespace

Result<SymbolicShape> infer_shape(const onnx::Scatter& op, std::span<const SymbolicShape> inputs) {
  return infer_elements(Rules("Scatter", op.version), op.axis, inputs);
}

Result<SymbolicShape> infer_shape(const onnx::ScatterElements& op,
                                  std::span<const SymbolicShape> inputs) {
  const Rules rules("ScatterElements", op.version);
  if (Status status = check_reduction(rules, op.reduction, op.version); !status) return status;
  return infer_elements(rules, op.axis, inputs);
}

Result<SymbolicShape> infer_shape(const onnx::ScatterND& op,
                                  std::span<const SymbolicShape> inputs) {
  const Rules rules("ScatterND", op.version);
  if (Status status = check_reduction(rules, op.reduction, op.version); !status) return status;
  const InferredInput data("data", inputs[0]);
  const InferredInput indices("indices", inputs[1]);
  const InferredInput updates("updates", inputs[2]);
  for (const InferredInput* input : {&data, &indices}) {
    if (Status status = check_rank(rules, "C1", *input, 1); !status) return status;
  }
  if (!data.has_rank() || !indices.has_rank()) return inputs[0];
  const Dim& tuple = indices[indices.rank() - 1];
  if (!tuple.is_known()) return inputs[0];
  if (tuple.value > data.rank())
    return rules.broken(ErrorCode::kShape, "C2",
                        "the last axis of indices has " + std::to_string(tuple.value) +
                            ", must be at most " + std::to_string(data.rank()) +
                            ", the rank of data");
  if (!updates.has_rank()) return inputs[0];
  const Status status = check_nd_updates(rules, data, indices, updates, tuple.value);
  if (!status) return status;
  return inputs[0];
}

Result<SymbolicShape> infer_shape(const onnx::TensorScatter& op,
                                  std::span<const SymbolicShape> inputs) {
  const Rules rules("TensorScatter", op.version);
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
