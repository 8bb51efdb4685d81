#include "src/dialects/gathers.h"

#include <algorithm>
#include <string>
#include <utility>

#include "src/dialects/maps.h"
#include "src/dialects/onnx/schema.h"
#include "src/dialects/rules.h"

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

constexpr OneHotInputs kPlaces = {0, 1, 2, true};

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const onnx::OneHot& op, const KnownInputs& inputs,
                            const CallOptions& /*options*/) {
  return check_one_hot(rules, op.axis, inputs, kPlaces);
}

Operation build(const Rules& rules, const onnx::OneHot& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  // The text of OneHot-9 turns the light off outside [0, depth); since 11 outside [-depth, depth).
  const IndexUse use = {policy_of(op, options),
                        op.version < 11 ? Negatives::kOutside : Negatives::kCountFromEnd};
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
  const IndexUse use = {policy_of(op, options), Negatives::kOutside};
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

}  // namespace windrow::internal
