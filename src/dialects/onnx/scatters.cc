#include <string>
#include <utility>

#include "src/dialects/gathers.h"
#include "src/dialects/maps.h"
#include "src/dialects/onnx/schema.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {

namespace {

// From C1 on.
Result<SymbolicShape> check_elements(const Rules& rules, std::int64_t axis,
                                     const KnownInputs& inputs) {
  if (Status status = check_element_ranks(rules, inputs); !status) return status;
  const auto normal = check_axis(rules, axis, inputs[0]);
  if (!normal) return normal.error();
  if (Status status = check_element_shapes(rules, inputs, *normal); !status) return status;
  return inputs[0].shape();
}

Operation build_elements(const Rules& rules, std::int64_t axis, std::span<const TensorSpec> inputs,
                         const ScatterUse& use, const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  return scatter_operation(
      rules, element_map(data, inputs[1].shape, normal_axis(axis, data.rank()), use.indices), use,
      options);
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const onnx::Scatter& op, const KnownInputs& inputs,
                            const CallOptions& /*options*/) {
  return check_elements(rules, op.axis, inputs);
}

Operation build(const Rules& rules, const onnx::Scatter& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const ScatterUse use = {Combine::kAssign, true, index_use(op, options, 11)};
  Operation operation = build_elements(rules, op.axis, inputs, use, options);
  if (op.version >= 11)
    operation.notes.push_back(rules.operator_name() +
                              ": Scatter is deprecated since opset 11; use ScatterElements");
  return operation;
}

Result<SymbolicShape> check(const Rules& rules, const onnx::ScatterElements& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_reduction(rules, op.reduction, onnx_reductions(op.version),
                                      inputs[0].dtype, &onnx_has_meaning);
      !status)
    return status;
  return check_elements(rules, op.axis, inputs);
}

Operation build(const Rules& rules, const onnx::ScatterElements& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const ScatterUse use = {find_combine(kOnnxReductions, op.reduction), true,
                          index_use(op, options)};
  return build_elements(rules, op.axis, inputs, use, options);
}

Result<SymbolicShape> check(const Rules& rules, const onnx::ScatterND& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_reduction(rules, op.reduction, onnx_reductions(op.version),
                                      inputs[0].dtype, &onnx_has_meaning);
      !status)
    return status;
  if (Status status = check_tuple_shapes(rules, inputs, {}); !status) return status;
  return inputs[0].shape();
}

Operation build(const Rules& rules, const onnx::ScatterND& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const ScatterUse use = {find_combine(kOnnxReductions, op.reduction), true,
                          index_use(op, options)};
  return scatter_operation(rules, tuple_map(inputs[0].shape, inputs[1].shape, 0, use.indices), use,
                           options);
}

namespace {

constexpr int kWriteIndices = 2;

// A1. Returns the axis counted from the front; nothing where no rank is known.
Result<std::optional<std::int64_t>> check_sequence_axis(const Rules& rules, std::int64_t axis,
                                                        const KnownInput& cache,
                                                        const KnownInput& update) {
  auto normal = check_axis(rules, axis, cache.has_rank() ? cache : update);
  if (!normal || normal->value_or(axis) != 0) return normal;
  return rules.invalid("A1", "axis is " + std::to_string(axis) + ", the batch axis");
}

// C2, C3.
Status check_extents(const Rules& rules, const KnownInput& cache, const KnownInput& update,
                     std::int64_t axis) {
  if (Status status = check_off_axis(rules, update, cache, axis); !status) return status;
  if (!must_exceed(update[axis], cache[axis])) return {};
  return rules.shape(
      "C3", describe_shapes(update, cache) + "update is longer in axis " + std::to_string(axis));
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const onnx::TensorScatter& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  const KnownInput& cache = inputs[0];
  const KnownInput& update = inputs[1];
  if (op.mode != "linear" && op.mode != "circular")
    return rules.invalid("A3", "mode is '" + op.mode + "', must be linear or circular");
  if (Status status = check_common_rank(rules, cache, update, 2); !status) return status;
  const auto axis = check_sequence_axis(rules, op.axis, cache, update);
  if (!axis) return axis.error();
  if (cache.has_rank() && update.has_rank())
    if (Status status = check_extents(rules, cache, update, **axis); !status) return status;
  const SymbolicDims one_per_entry = {cache.has_rank() ? cache[0] : Dim()};
  if (Status status = check_shape(rules, "C4", inputs[kWriteIndices], one_per_entry); !status)
    return status;
  return cache.shape();
}

Operation build(const Rules& rules, const onnx::TensorScatter& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const Shape& cache = inputs[0].shape;
  const bool indexed = inputs.size() > kWriteIndices && !inputs[kWriteIndices].is_absent();
  AccessMap map =
      sequence_map(cache, inputs[1].shape, normal_axis(op.axis, cache.rank()),
                   {indexed ? kWriteIndices : -1, op.mode == "circular", policy_of(op, options)});
  return cache_operation(rules, std::move(map), options, "C5");
}

}  // namespace windrow::internal
