#include <string>
#include <utility>

#include "src/dialects/array/schema.h"
#include "src/dialects/bags.h"
#include "src/dialects/gathers.h"
#include "src/dialects/maps.h"
#include "src/dialects/quantised.h"
#include "src/dialects/rules.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const array::Take& op, const KnownInputs& inputs,
                            const CallOptions& /*options*/) {
  return check_slices(rules, op.axis, inputs[0], inputs[1]);
}

Operation build(const Rules& rules, const array::Take& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const IndexUse use = array_indices(policy_of(op, options), options);
  const int axis = normal_axis(op.axis, data.rank());
  return gather_operation(rules, slice_map(data, inputs[1].shape, axis, 0, use), use, "C3");
}

Result<SymbolicShape> check(const Rules& rules, const array::TakeAlongAxis& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  return check_along_axis(rules, op.axis, inputs[0], inputs[1]);
}

Operation build(const Rules& rules, const array::TakeAlongAxis& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const IndexUse use = array_indices(policy_of(op, options), options);
  const int axis = normal_axis(op.axis, data.rank());
  return gather_operation(rules, broadcast_element_map(data, inputs[1].shape, axis, use), use,
                          "C3");
}

namespace {

// Whether what is known of `values` lets it broadcast to `addressed`.
bool may_broadcast(const KnownInput& values, const SymbolicDims& addressed) {
  const std::int64_t shift = static_cast<std::int64_t>(addressed.size()) - values.rank();
  for (std::int64_t d = 0; d < values.rank(); ++d) {
    if (!values[d].is_known() || values[d].value == 1) continue;
    if (d + shift < 0 || must_differ(values[d], addressed[static_cast<std::size_t>(d + shift)]))
      return false;
  }
  return true;
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const array::PutAlongAxis& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  const KnownInput& values = inputs[2];
  const auto addressed = check_along_axis(rules, op.axis, inputs[0], inputs[1]);
  if (!addressed) return addressed.error();
  if (*addressed && values.has_rank() && !may_broadcast(values, **addressed))
    return rules.shape("C3", describe_shape(values) + ", must broadcast to " +
                                 to_string(**addressed) + ", the shape that data, " +
                                 to_string(*inputs[0].dims) + ", and indices, " +
                                 to_string(*inputs[1].dims) + ", address");
  return inputs[0].shape();
}

Operation build(const Rules& rules, const array::PutAlongAxis& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const ScatterUse use = {Combine::kAssign, true, array_indices(policy_of(op, options), options)};
  AccessMap map =
      broadcast_element_map(data, inputs[1].shape, normal_axis(op.axis, data.rank()), use.indices);
  const bool broadcast = !(inputs[2].shape == map.loops);
  Operation operation = scatter_operation(rules, std::move(map), use, options);
  operation.updates_broadcast = broadcast;
  return operation;
}

Result<SymbolicShape> check(const Rules& rules, const array::IndexAdd& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  return check_index_rows(rules, op.axis, inputs);
}

Operation build(const Rules& rules, const array::IndexAdd& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const ScatterUse use = {Combine::kAdd, true, array_indices(policy_of(op, options), options)};
  return build_index_rows(rules, op.axis, inputs, use, options);
}

Result<SymbolicShape> check(const Rules& rules, const array::IndexReduce& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_reduction(rules, op, inputs[0].dtype, &array_has_meaning); !status)
    return status;
  return check_index_rows(rules, op.axis, inputs);
}

Operation build(const Rules& rules, const array::IndexReduce& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const ScatterUse use = {combine_of(op), op.use_init_val,
                          array_indices(policy_of(op, options), options)};
  return build_index_rows(rules, op.axis, inputs, use, options);
}

namespace {

constexpr int kSegmentOffsets = 2;

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const array::SegmentReduce& op,
                            const KnownInputs& inputs, const CallOptions& options) {
  const KnownInput& data = inputs[0];
  if (Status status = check_segment_policy(rules, policy_of(op, options)); !status) return status;
  if (Status status = check_reduction(rules, op, data.dtype, &array_has_meaning); !status)
    return status;
  if (Status status = check_has_axes(rules, "C1", data); !status) return status;
  if (op.num_segments < 0)
    return rules.invalid(
        "A4", "num_segments is " + std::to_string(op.num_segments) + ", must be at least 0");
  if (Status status = is_given(inputs[kSegmentOffsets])
                          ? check_segment_offsets(rules, inputs[kSegmentOffsets], op.num_segments)
                          : check_segment_ids(rules, inputs);
      !status)
    return status;
  return segments_shape(data, Dim{op.num_segments, {}});
}

Operation build(const Rules& rules, const array::SegmentReduce& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const bool by_offsets = inputs.size() > kSegmentOffsets && !inputs[kSegmentOffsets].is_absent();
  if (by_offsets)
    return segments_of_offsets(rules, inputs, kSegmentOffsets, op.num_segments, combine_of(op),
                               options, "C5");
  const ScatterUse use = {
      combine_of(op), false, {policy_of(op, options), negatives_of(options, Negatives::kOutside)}};
  return segment_operation(rules, inputs, op.num_segments, use, options, "C3", "C4");
}

namespace {

QuantisedForm form_of(const array::TakeQuantized& op) {
  QuantisedForm form;
  form.axis = op.axis;
  form.quantise_axis = op.quantize_axis;
  form.block_size = op.block_size;
  form.bits = op.bits;
  return form;
}

// The type of the result; kAbsent if there is none of that name.
DType result_type(const array::TakeQuantized& op, DType scales) {
  if (op.dtype.empty()) return scales;
  const DType dtype = parse_dtype(op.dtype).value_or(DType::kAbsent);
  for (const DType possible : {DType::kFloat32, DType::kFloat16, DType::kBFloat16})
    if (dtype == possible) return dtype;
  return DType::kAbsent;
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const array::TakeQuantized& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (result_type(op, DType::kFloat32) == DType::kAbsent)
    return rules.invalid("A6", "dtype is '" + op.dtype + "', must be float32, float16 or bfloat16");
  return check_quantised(rules, form_of(op), inputs);
}

Operation build(const Rules& rules, const array::TakeQuantized& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  return build_quantised(rules, form_of(op), inputs, array_indices(policy_of(op, options), options),
                         result_type(op, inputs[2].dtype), "C5");
}

}  // namespace windrow::internal
