#include <algorithm>
#include <string>
#include <utility>

#include "src/dialects/gathers.h"
#include "src/dialects/maps.h"
#include "src/dialects/onnx/schema.h"
#include "src/dialects/quantised.h"
#include "src/dialects/rules.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const onnx::Gather& op, const KnownInputs& inputs,
                            const CallOptions& /*options*/) {
  return check_slices(rules, op.axis, inputs[0], inputs[1]);
}

Operation build(const Rules& rules, const onnx::Gather& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const IndexUse use = index_use(op, options, 11);
  const int axis = normal_axis(op.axis, data.rank());
  return gather_operation(rules, slice_map(data, inputs[1].shape, axis, 0, use), use, "C3");
}

Result<SymbolicShape> check(const Rules& rules, const onnx::GatherElements& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  const KnownInput& data = inputs[0];
  const KnownInput& indices = inputs[1];
  if (Status status = check_common_rank(rules, data, indices); !status) return status;
  const auto axis = check_axis(rules, op.axis, data.has_rank() ? data : indices);
  if (!axis) return axis.error();
  if (*axis)
    if (Status status = check_not_longer(rules, "C2", data, indices, **axis); !status)
      return status;
  return indices.shape();
}

Operation build(const Rules& rules, const onnx::GatherElements& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const IndexUse use = index_use(op, options);
  const int axis = normal_axis(op.axis, data.rank());
  return gather_operation(rules, element_map(data, inputs[1].shape, axis, use), use, "C3");
}

Result<SymbolicShape> check(const Rules& rules, const onnx::GatherND& op, const KnownInputs& inputs,
                            const CallOptions& /*options*/) {
  return check_tuple_gather(rules, {op.batch_dims}, inputs[0], inputs[1]);
}

Operation build(const Rules& rules, const onnx::GatherND& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const IndexUse use = index_use(op, options);
  const auto batch = static_cast<int>(op.batch_dims);
  return gather_operation(rules, tuple_map(inputs[0].shape, inputs[1].shape, batch, use), use,
                          "C5");
}

namespace {

constexpr OneHotInputs kPlaces = {0, 1, 2, 2, true};

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const onnx::OneHot& op, const KnownInputs& inputs,
                            const CallOptions& /*options*/) {
  return check_one_hot(rules, op.axis, inputs, kPlaces);
}

Operation build(const Rules& rules, const onnx::OneHot& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  // The text of OneHot-9 turns the light off outside [0, depth); since 11 outside [-depth, depth).
  const Negatives own = op.version < 11 ? Negatives::kOutside : Negatives::kCountFromEnd;
  const IndexUse use = {policy_of(op, options), negatives_of(options, own)};
  return build_one_hot(rules, op.axis, inputs, kPlaces, use);
}

namespace {

// Where an axis of extent 1 needs no loop: the loops of X and Y together then stay within kMaxRank
// for every tensor that has less than 2^32 elements.
IndexCoordinate coordinate_for(std::int64_t extent, Shape& loops) {
  if (extent == 1) return {-1, 0};
  loops.push_back(extent);
  return {loops.rank() - 1, 0};
}

std::ptrdiff_t count_loops(std::span<const Dim> dims) {
  return std::count_if(dims.begin(), dims.end(), [](const Dim& dim) {
    return must_differ(dim, {1, {}});
  });
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const onnx::ArrayFeatureExtractor& /*op*/,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  const KnownInput& x = inputs[0];
  const KnownInput& y = inputs[1];
  if (Status status = check_has_axes(rules, "C1", x); !status) return status;
  if (!x.has_rank()) return SymbolicShape();
  SymbolicDims result(x.dims->begin(), x.dims->end() - 1);
  if (y.has_rank() && count_loops(result) + count_loops(*y.dims) > kMaxRank)
    return rules.shape("C1", "X and Y together have more than " + std::to_string(kMaxRank) +
                                 " axes of an extent other than 1");
  if (result.empty()) result.push_back({1, {}});
  result.push_back(y.has_rank() ? product(*y.dims).value_or(Dim()) : Dim());
  return SymbolicShape(std::move(result));
}

Operation build(const Rules& rules, const onnx::ArrayFeatureExtractor& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const Shape& x = inputs[0].shape;
  const IndexUse use = {policy_of(op, options), negatives_of(options, Negatives::kOutside)};
  AccessMap map;
  for (int d = 0; d + 1 < x.rank(); ++d) {
    AxisMap axis;
    axis.extent = x[d];
    const IndexCoordinate coordinate = coordinate_for(x[d], map.loops);
    if (coordinate.loop >= 0) axis.loops.push_back({coordinate.loop, 1});
    map.axes.push_back(std::move(axis));
  }
  std::vector<IndexCoordinate> coordinates;
  for (const std::int64_t extent : inputs[1].shape)
    coordinates.push_back(coordinate_for(extent, map.loops));
  map.axes.push_back(index_axis(x.back(), 1, std::move(coordinates), use));
  return gather_operation(rules, std::move(map), use, "C2");
}

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
  if (Status status = check_reduction(rules, op, inputs[0].dtype, &onnx_has_meaning); !status)
    return status;
  return check_elements(rules, op.axis, inputs);
}

Operation build(const Rules& rules, const onnx::ScatterElements& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const ScatterUse use = {combine_of(op), true, index_use(op, options)};
  return build_elements(rules, op.axis, inputs, use, options);
}

Result<SymbolicShape> check(const Rules& rules, const onnx::ScatterND& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_reduction(rules, op, inputs[0].dtype, &onnx_has_meaning); !status)
    return status;
  if (Status status = check_tuple_shapes(rules, inputs, {}); !status) return status;
  return inputs[0].shape();
}

Operation build(const Rules& rules, const onnx::ScatterND& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const ScatterUse use = {combine_of(op), true, index_use(op, options)};
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
  const IndexUse use = {policy_of(op, options), negatives_of(options, Negatives::kOutside)};
  AccessMap map = sequence_map(cache, inputs[1].shape, normal_axis(op.axis, cache.rank()),
                               {indexed ? kWriteIndices : -1, op.mode == "circular", use});
  return cache_operation(rules, std::move(map), options, "C5");
}

namespace {

QuantisedForm form_of(const onnx::GatherBlockQuantized& op) {
  QuantisedForm form;
  form.axis = op.gather_axis;
  form.quantise_axis = op.quantize_axis;
  form.block_size = op.block_size;
  form.bits = op.bits;
  form.axis_name = "gather_axis";
  form.least_rank = 2;
  form.takes_small_blocks = false;
  form.fixes_axes_of_bytes = true;
  form.scales_rule = "C4";
  form.zero_points_rule = "C5";
  return form;
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const onnx::GatherBlockQuantized& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  return check_quantised(rules, form_of(op), inputs);
}

Operation build(const Rules& rules, const onnx::GatherBlockQuantized& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  return build_quantised(rules, form_of(op), inputs, index_use(op, options), inputs[2].dtype, "C6");
}

}  // namespace windrow::internal
