#include <algorithm>
#include <cctype>
#include <span>
#include <string>
#include <utility>

#include "src/dialects/gathers.h"
#include "src/dialects/maps.h"
#include "src/dialects/openvino/schema.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {
namespace {

constexpr int kAxis = 2;

// A4, both ranks being known. `batch_dims` is counted from the front.
Status check_batch_dims(const Rules& rules, std::int64_t given, std::int64_t batch_dims,
                        const KnownInput& data, const KnownInput& indices,
                        std::optional<std::int64_t> axis) {
  const std::int64_t most = std::min(data.rank(), indices.rank());
  const std::int64_t last = axis.value_or(data.rank() - 1);
  if (given >= -most && given <= most && batch_dims >= 0 && batch_dims <= last) return {};
  return rules.invalid("A4", "batch_dims is " + std::to_string(given) + ", must be in [" +
                                 std::to_string(-most) + ", " + std::to_string(most) +
                                 "] and, counted from the front of indices, at most " +
                                 (axis ? "axis " : "the last axis, ") + std::to_string(last) +
                                 " (" + with_rank(data) + ", " + with_rank(indices) + ")");
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const openvino::Gather& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  const KnownInput& data = inputs[0];
  const KnownInput& indices = inputs[1];
  if (Status status = check_has_axes(rules, "C1", data); !status) return status;
  const auto axis = check_axis_input(rules, inputs[kAxis], data);
  if (!axis) return axis.error();
  if (!data.has_rank() || !indices.has_rank()) return SymbolicShape();
  const int b = normal_axis(op.batch_dims, static_cast<int>(indices.rank()));
  if (Status status = check_batch_dims(rules, op.batch_dims, b, data, indices, *axis); !status)
    return status;
  if (Status status = check_batch_axes(rules, data, indices, b, false); !status) return status;
  const std::int64_t rank = data.rank() + indices.rank() - 1 - b;
  if (Status status = check_result_rank(rules, "C3", rank); !status) return status;
  SymbolicDims result = slice_dims(data, indices, axis->value_or(data.rank() - 1), b);
  // Without the axis the extents behind the batch axes are not known.
  if (!*axis) std::fill(result.begin() + b, result.end(), Dim());
  return SymbolicShape(std::move(result));
}

Operation build(const Rules& rules, const openvino::Gather& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const Shape& indices = inputs[1].shape;
  const IndexUse use = index_use(op, options, 8);
  AccessMap map = slice_map(inputs[0].shape, indices, axis_value(inputs[kAxis], inputs[0]),
                            normal_axis(op.batch_dims, indices.rank()), use);
  Operation operation = gather_operation(rules, std::move(map), use, "C4");
  operation.fixed_inputs = {kAxis};
  return operation;
}

Result<SymbolicShape> check(const Rules& rules, const openvino::GatherElements& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  const KnownInput& data = inputs[0];
  const KnownInput& indices = inputs[1];
  if (Status status = check_common_rank(rules, data, indices); !status) return status;
  const auto axis = check_axis(rules, op.axis, data.has_rank() ? data : indices);
  if (!axis) return axis.error();
  if (!data.has_rank() || !indices.has_rank()) return indices.shape();
  if (Status status = check_off_axis(rules, indices, data, *axis); !status) return status;
  SymbolicDims result;
  for (std::int64_t d = 0; d < data.rank(); ++d)
    result.push_back(d == *axis ? indices[d] : same_dim(indices[d], data[d]));
  return SymbolicShape(std::move(result));
}

Operation build(const Rules& rules, const openvino::GatherElements& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const IndexUse use = index_use(op, options);
  const int axis = normal_axis(op.axis, data.rank());
  return gather_operation(rules, element_map(data, inputs[1].shape, axis, use), use, "C3");
}

Result<SymbolicShape> check(const Rules& rules, const openvino::GatherND& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  // GatherND-8 broadcasts its batch axes; tuples may be empty.
  const TupleGather gather = {op.batch_dims, "A4", "batch_dims", op.version >= 8, 0};
  Result<SymbolicShape> result = check_tuple_gather(rules, gather, inputs[0], inputs[1]);
  // GatherND-5 joins the batch axes of its result.
  const bool joins = op.version < 8 && op.batch_dims > 1;
  if (!result || !*result || !joins) return result;
  const std::span<const Dim> dims = **result;
  const auto batch_dims = static_cast<std::size_t>(op.batch_dims);
  const auto batch = product(dims.first(batch_dims));
  if (!batch)
    return rules.shape("CALL-I2", "the batch axes of the result, " + to_string(**result) +
                                      ", joined into one exceed 2^63-1");
  SymbolicDims joined = {*batch};
  joined.insert(joined.end(), dims.begin() + op.batch_dims, dims.end());
  return SymbolicShape(std::move(joined));
}

Operation build(const Rules& rules, const openvino::GatherND& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const IndexUse use = index_use(op, options, 8);
  const auto batch = static_cast<int>(op.batch_dims);
  return gather_operation(rules, tuple_map(inputs[0].shape, inputs[1].shape, batch, use), use,
                          "C5");
}

namespace {

constexpr OneHotInputs kOneHot = {0, 1, 2, 3, false};
constexpr std::string_view kNormalize = "normalize";

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const openvino::OneHot& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  const std::string& mode = op.negative_indices_mode;
  if (mode != "ignore_negative" && mode != kNormalize)
    return rules.invalid("A3", "negative_indices_mode is '" + mode +
                                   "', must be one of: ignore_negative, normalize");
  return check_one_hot(rules, op.axis, inputs, kOneHot);
}

Operation build(const Rules& rules, const openvino::OneHot& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const bool counts = op.negative_indices_mode == kNormalize;
  // The text of version 1 leaves negative indices undefined.
  const Negatives own = options.strict && op.version < 16 ? Negatives::kRefused
                        : counts                          ? Negatives::kCountFromEnd
                                                          : Negatives::kOutside;
  const IndexUse use = {policy_of(op, options), negatives_of(options, own)};
  return build_one_hot(rules, op.axis, inputs, kOneHot, use);
}

namespace {

constexpr int kScatterAxis = 3;

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const openvino::ScatterElementsUpdate& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_reduction(rules, op, inputs[0].dtype, &openvino_has_meaning); !status)
    return status;
  if (Status status = check_element_ranks(rules, inputs); !status) return status;
  const auto axis = check_axis_input(rules, inputs[kScatterAxis], inputs[0]);
  if (!axis) return axis.error();
  if (Status status = check_element_shapes(rules, inputs, *axis); !status) return status;
  return inputs[0].shape();
}

Operation build(const Rules& rules, const openvino::ScatterElementsUpdate& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const ScatterUse use = {combine_of(op), op.use_init_val, index_use(op, options, 12)};
  AccessMap map = element_map(inputs[0].shape, inputs[1].shape,
                              axis_value(inputs[kScatterAxis], inputs[0]), use.indices);
  Operation operation = scatter_operation(rules, std::move(map), use, options);
  operation.fixed_inputs = {kScatterAxis};
  return operation;
}

Result<SymbolicShape> check(const Rules& rules, const openvino::ScatterNDUpdate& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_reduction(rules, op, inputs[0].dtype, &openvino_has_meaning); !status)
    return status;
  if (Status status = check_tuple_shapes(rules, inputs, {.takes_single = true}); !status)
    return status;
  return inputs[0].shape();
}

Operation build(const Rules& rules, const openvino::ScatterNDUpdate& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const ScatterUse use = {combine_of(op), true, index_use(op, options, 15)};
  return scatter_operation(rules, tuple_map(inputs[0].shape, inputs[1].shape, 0, use.indices), use,
                           options);
}

Result<SymbolicShape> check(const Rules& rules, const openvino::ScatterUpdate& /*op*/,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  const KnownInput& data = inputs[0];
  const KnownInput& indices = inputs[1];
  if (Status status = check_has_axes(rules, "C1", data); !status) return status;
  const auto axis = check_axis_input(rules, inputs[kScatterAxis], data);
  if (!axis) return axis.error();
  if (!data.has_rank() || !indices.has_rank()) return data.shape();
  SymbolicDims expected = slice_dims(data, indices, axis->value_or(0));
  // Without the axis only the rank is known.
  if (!*axis) std::fill(expected.begin(), expected.end(), Dim());
  if (Status status = check_shape(rules, "C2", inputs[2], expected); !status) return status;
  return data.shape();
}

Operation build(const Rules& rules, const openvino::ScatterUpdate& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const ScatterUse use = {
      Combine::kAssign, true, {policy_of(op, options), negatives_of(options, Negatives::kOutside)}};
  AccessMap map = slice_map(inputs[0].shape, inputs[1].shape,
                            axis_value(inputs[kScatterAxis], inputs[0]), 0, use.indices);
  Operation operation = scatter_operation(rules, std::move(map), use, options, "C3");
  operation.fixed_inputs = {kScatterAxis};
  return operation;
}

namespace {

constexpr std::size_t kSegmentCount = 2;
constexpr std::string_view kZero = "ZERO";
constexpr std::string_view kLowest = "LOWEST";

// The text has capitals, and OpenVINO's files small letters.
bool has_mode(const openvino::SegmentMax& op, std::string_view mode) {
  return std::equal(mode.begin(), mode.end(), op.fill_mode.begin(), op.fill_mode.end(),
                    [](unsigned char a, unsigned char b) { return a == std::toupper(b); });
}

// What a segment without rows holds. The lowest integer is the fold of nothing.
UntouchedCell empty_segment(const openvino::SegmentMax& op, DType dtype) {
  if (has_mode(op, kZero)) return UntouchedCell::kZero;
  const bool has_more = dtype_kind(dtype) == DTypeKind::kFloat;
  return has_more ? UntouchedCell::kNeutral : UntouchedCell::kIdentity;
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const openvino::SegmentMax& op,
                            const KnownInputs& inputs, const CallOptions& options) {
  const KnownInput& data = inputs[0];
  if (Status status = check_segment_policy(rules, policy_of(op, options)); !status) return status;
  if (!has_mode(op, kZero) && !has_mode(op, kLowest))
    return rules.invalid("A3", "fill_mode is '" + op.fill_mode + "', must be one of: ZERO, LOWEST");
  if (Status status = check_has_axes(rules, "C1", data); !status) return status;
  if (Status status = check_segment_ids(rules, inputs); !status) return status;
  const KnownInput& segments = inputs[kSegmentCount];
  if (segments.is_compiled && segments.is_absent && !segments.value)
    return rules.shape(
        "C3",
        "num_segments is left out, and the last of segment_ids, which then decides the number of "
        "segments, must be known when the plan is compiled and be less than 2^63-1");
  const auto count = check_count(rules, "C3", segments);
  if (!count) return count.error();
  return segments_shape(data, Dim{count->value_or(-1), {}});
}

Operation build(const Rules& rules, const openvino::SegmentMax& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  // The text has ids that are not negative, and leaves out those that are too large.
  const Negatives negatives =
      options.negative ? negatives_of(options, Negatives::kOutside) : Negatives::kRefused;
  const ScatterUse use = {Combine::kMax, false, {policy_of(op, options), negatives}};
  Operation operation = segment_operation(rules, inputs, fixed_value(inputs[kSegmentCount]), use,
                                          options, "C4", "C5");
  operation.untouched = empty_segment(op, inputs[0].dtype);
  operation.fixed_inputs = {kSegmentCount};
  return operation;
}

}  // namespace windrow::internal
