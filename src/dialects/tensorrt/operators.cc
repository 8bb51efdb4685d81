#include <algorithm>
#include <string>
#include <utility>

#include "src/dialects/gathers.h"
#include "src/dialects/maps.h"
#include "src/dialects/rules.h"
#include "src/dialects/scatter.h"
#include "src/dialects/tensorrt/schema.h"

namespace windrow::internal {
namespace {

// A4: the number of elementwise dimensions is in [0, most].
Status check_elementwise(const Rules& rules, const tensorrt::Gather& op, std::int64_t most,
                         const KnownInput& data, const KnownInput& indices) {
  const std::int64_t nb = op.num_elementwise_dims;
  if (nb >= 0 && nb <= most) return {};
  return rules.invalid("A4", "num_elementwise_dims is " + std::to_string(nb) + ", must be in [0, " +
                                 std::to_string(most) + "] in mode " + op.mode + " for " +
                                 with_rank(data) + " and " + with_rank(indices));
}

// Mode DEFAULT: C1, A1, A4, C2, C4.
Result<SymbolicShape> check_slices(const Rules& rules, const tensorrt::Gather& op,
                                   const KnownInput& data, const KnownInput& indices) {
  if (Status status = check_has_axes(rules, "C1", data); !status) return status;
  if (Status status = check_layer_axis(rules, op.axis, data); !status) return status;
  const std::int64_t nb = op.num_elementwise_dims;
  const std::int64_t most =
      std::min<std::int64_t>({1, op.axis, indices.has_rank() ? indices.rank() : 1});
  if (Status status = check_elementwise(rules, op, most, data, indices); !status) return status;
  if (!data.has_rank() || !indices.has_rank()) return SymbolicShape();
  if (Status status = check_batch_axes(rules, data, indices, nb, true); !status) return status;
  const std::int64_t rank = data.rank() + indices.rank() - 1 - nb;
  if (Status status = check_result_rank(rules, "C4", rank); !status) return status;
  return SymbolicShape(slice_dims(data, indices, op.axis, nb, &broadcast_dim));
}

// Mode ELEMENT: C1, A1, A4, C2.
Result<SymbolicShape> check_elements(const Rules& rules, const tensorrt::Gather& op,
                                     const KnownInput& data, const KnownInput& indices) {
  if (Status status = check_common_rank(rules, data, indices); !status) return status;
  const KnownInput& ranked = data.has_rank() ? data : indices;
  if (Status status = check_layer_axis(rules, op.axis, ranked); !status) return status;
  if (Status status = check_elementwise(rules, op, 0, data, indices); !status) return status;
  if (Status status = check_not_longer(rules, "C2", data, indices, op.axis); !status) return status;
  return indices.shape();
}

// C1 to C4, A1 and A4, mode by mode.
Result<SymbolicShape> check_in_mode(const Rules& rules, const tensorrt::Gather& op,
                                    const KnownInput& data, const KnownInput& indices) {
  const TupleGather tuples = {op.num_elementwise_dims, "A4", "num_elementwise_dims", false, 1};
  if (op.mode == "ND") return check_tuple_gather(rules, tuples, data, indices);
  if (op.mode == "ELEMENT") return check_elements(rules, op, data, indices);
  return check_slices(rules, op, data, indices);
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const tensorrt::Gather& op,
                            const KnownInputs& inputs, const CallOptions& options) {
  if (Status status = check_release_types(rules, Layer::kGather, op.version, inputs[0].dtype,
                                          inputs[1].dtype, options);
      !status)
    return status;
  if (Status status = check_mode(rules, op.mode, {"DEFAULT", "ELEMENT", "ND"}); !status)
    return status;
  Result<SymbolicShape> result = check_in_mode(rules, op, inputs[0], inputs[1]);
  if (!result) return result;
  if (Status status = check_release_rank(rules, inputs, *result, options); !status) return status;
  return result;
}

Operation build(const Rules& rules, const tensorrt::Gather& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  const auto axis = static_cast<int>(op.axis);
  const auto nb = static_cast<int>(op.num_elementwise_dims);
  const IndexUse use = index_use(op, options);
  return gather_operation(rules,
                          op.mode == "ND"        ? tuple_map(data, indices, nb, use)
                          : op.mode == "ELEMENT" ? element_map(data, indices, axis, use)
                                                 : slice_map(data, indices, axis, nb, use),
                          use, "C5");
}

namespace {

// C1, A1, C2, C3 of mode ELEMENT.
Status check_elements(const Rules& rules, const tensorrt::Scatter& op, const KnownInputs& inputs) {
  if (Status status = check_element_ranks(rules, inputs); !status) return status;
  if (Status status = check_layer_axis(rules, op.axis, inputs[0]); !status) return status;
  return check_element_shapes(rules, inputs, op.axis);
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const tensorrt::Scatter& op,
                            const KnownInputs& inputs, const CallOptions& options) {
  if (Status status = check_release_types(rules, Layer::kScatter, op.version, inputs[0].dtype,
                                          inputs[1].dtype, options);
      !status)
    return status;
  if (Status status = check_mode(rules, op.mode, {"ELEMENT", "ND"}); !status) return status;
  if (Status status = op.mode == "ND" ? check_tuple_shapes(rules, inputs, {.shortest_tuple = 1})
                                      : check_elements(rules, op, inputs);
      !status)
    return status;
  SymbolicShape result = inputs[0].shape();
  if (Status status = check_release_rank(rules, inputs, result, options); !status) return status;
  return result;
}

Operation build(const Rules& rules, const tensorrt::Scatter& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  // TensorRT says nothing of indices outside [0, s-1].
  ScatterUse use;
  use.indices = index_use(op, options);
  if (options.strict) use.indices = {OutOfRange::kError, Negatives::kRefused};
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  Operation operation = scatter_operation(
      rules,
      op.mode == "ND" ? tuple_map(data, indices, 0, use.indices)
                      : element_map(data, indices, static_cast<int>(op.axis), use.indices),
      use, options);
  if (options.strict) operation.index_constraint = rules.label("S3");
  return operation;
}

namespace {

constexpr OneHotInputs kOneHotPlaces = {0, 2, 1, 1, false};

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const tensorrt::OneHot& op,
                            const KnownInputs& inputs, const CallOptions& options) {
  if (Status status = check_release_types(rules, Layer::kOneHot, op.version, inputs[1].dtype,
                                          inputs[0].dtype, options);
      !status)
    return status;
  Result<SymbolicShape> result = check_one_hot(rules, op.axis, inputs, kOneHotPlaces);
  if (!result) return result;
  if (Status status = check_release_rank(rules, inputs, *result, options); !status) return status;
  return result;
}

Operation build(const Rules& rules, const tensorrt::OneHot& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  // TensorRT says nothing of indices outside [0, depth-1].
  IndexUse use = index_use(op, options);
  if (options.strict) use = {OutOfRange::kError, Negatives::kRefused};
  Operation operation = build_one_hot(rules, op.axis, inputs, kOneHotPlaces, use);
  if (options.strict) operation.index_constraint = rules.label("S3");
  return operation;
}

namespace {

constexpr int kSequenceAxis = 2;
constexpr int kCacheIndices = 2;

// C1, C2.
Status check_cache(const Rules& rules, const KnownInput& cache, const KnownInput& update) {
  constexpr std::int64_t kRank = 4;
  if ((cache.has_rank() && cache.rank() != kRank) || (update.has_rank() && update.rank() != kRank))
    return rules.shape("C1", describe_ranks(cache, update) + ", must be 4");
  if (!cache.has_rank() || !update.has_rank()) return {};
  return check_off_axis(rules, update, cache, kSequenceAxis);
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const tensorrt::KVCacheUpdate& op,
                            const KnownInputs& inputs, const CallOptions& options) {
  const KnownInput& cache = inputs[0];
  if (Status status = check_release_types(rules, Layer::kKVCacheUpdate, op.version, cache.dtype,
                                          inputs[kCacheIndices].dtype, options);
      !status)
    return status;
  if (Status status = check_mode(rules, op.mode, {"LINEAR"}); !status) return status;
  if (Status status = check_cache(rules, cache, inputs[1]); !status) return status;
  const SymbolicDims one_per_entry = {cache.has_rank() ? cache[0] : Dim()};
  if (Status status = check_shape(rules, "C3", inputs[kCacheIndices], one_per_entry); !status)
    return status;
  return cache.shape();
}

Operation build(const Rules& rules, const tensorrt::KVCacheUpdate& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const IndexUse use = {policy_of(op, options), negatives_of(options, Negatives::kOutside)};
  AccessMap map =
      sequence_map(inputs[0].shape, inputs[1].shape, kSequenceAxis, {kCacheIndices, false, use});
  return cache_operation(rules, std::move(map), options, "C4");
}

}  // namespace windrow::internal
