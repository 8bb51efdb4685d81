#include "src/dialects/gathers.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace windrow::internal {

Result<SymbolicShape> check_slices(const Rules& rules, std::int64_t axis, const KnownInput& data,
                                   const KnownInput& indices) {
  if (Status status = check_has_axes(rules, "C1", data); !status) return status;
  const auto normal = check_axis(rules, axis, data);
  if (!normal) return normal.error();
  if (!*normal || !indices.has_rank()) return SymbolicShape();
  if (Status status = check_result_rank(rules, "C2", data.rank() + indices.rank() - 1); !status)
    return status;
  return SymbolicShape(slice_dims(data, indices, **normal));
}

Status check_common_rank(const Rules& rules, const KnownInput& data, const KnownInput& indices,
                         std::int64_t least) {
  if (!ranks_clash({&data, &indices}, least)) return {};
  return rules.shape("C1", describe_ranks(data, indices) + ", must be equal and at least " +
                               std::to_string(least));
}

Status check_not_longer(const Rules& rules, std::string_view rule, const KnownInput& data,
                        const KnownInput& indices, std::int64_t axis) {
  if (!data.has_rank() || !indices.has_rank()) return {};
  for (std::int64_t d = 0; d < data.rank(); ++d)
    if (d != axis && must_exceed(indices[d], data[d]))
      return rules.shape(
          rule, describe_shapes(indices, data) + "indices are longer in axis " + std::to_string(d));
  return {};
}

Operation gather_operation(const Rules& rules, AccessMap map, const IndexUse& use,
                           std::string_view rule) {
  Operation operation;
  operation.map = std::move(map);
  operation.index_constraint = rules.label(index_rule(use, rule));
  return operation;
}

namespace {

Status check_batch_dims(const Rules& rules, const TupleGather& gather, const KnownInput& data,
                        const KnownInput& indices) {
  constexpr std::int64_t kOpen = std::numeric_limits<std::int64_t>::max();
  const std::int64_t most = std::min(data.has_rank() ? data.rank() - 1 : kOpen,
                                     indices.has_rank() ? indices.rank() - 1 : kOpen);
  if (gather.batch_dims >= 0 && gather.batch_dims <= most) return {};
  return rules.invalid(gather.batch_rule,
                       std::string(gather.batch_name) + " is " + std::to_string(gather.batch_dims) +
                           ", must be " +
                           (most == kOpen ? "at least 0" : "in [0, " + std::to_string(most) + "]") +
                           " for " + with_rank(data) + " and " + with_rank(indices));
}

// C3, C4.
Status check_length(const Rules& rules, const TupleGather& gather, std::int64_t tuple,
                    const KnownInput& data, const KnownInput& indices) {
  const std::int64_t longest = data.rank() - gather.batch_dims;
  if (tuple < gather.shortest_tuple || tuple > longest)
    return rules.shape("C3", "index tuples have length " + std::to_string(tuple) +
                                 ", must be in [" + std::to_string(gather.shortest_tuple) + ", " +
                                 std::to_string(longest) + "] for " + with_rank(data) + " and " +
                                 std::string(gather.batch_name) + " " +
                                 std::to_string(gather.batch_dims));
  return check_result_rank(rules, "C4", indices.rank() - 1 + longest - tuple);
}

}  // namespace

Status check_tuple_ranks(const Rules& rules, const KnownInput& data, const KnownInput& indices) {
  const bool fits =
      (!data.has_rank() || data.rank() >= 1) && (!indices.has_rank() || indices.rank() >= 1);
  if (fits) return {};
  return rules.shape("C1", describe_ranks(data, indices) + ", both must be 1 or more");
}

Result<SymbolicShape> check_tuple_gather(const Rules& rules, const TupleGather& gather,
                                         const KnownInput& data, const KnownInput& indices) {
  if (Status status = check_tuple_ranks(rules, data, indices); !status) return status;
  if (Status status = check_batch_dims(rules, gather, data, indices); !status) return status;
  if (!data.has_rank() || !indices.has_rank()) return SymbolicShape();
  if (Status status = check_batch_axes(rules, data, indices, gather.batch_dims, gather.broadcasts);
      !status)
    return status;
  const Dim& tuple = indices[indices.rank() - 1];
  if (!tuple.is_known()) return SymbolicShape();
  if (Status status = check_length(rules, gather, tuple.value, data, indices); !status)
    return status;
  SymbolicDims result;
  for (std::int64_t d = 0; d < gather.batch_dims; ++d)
    result.push_back((gather.broadcasts ? &broadcast_dim : &same_dim)(data[d], indices[d]));
  append(result, indices, gather.batch_dims, indices.rank() - 1);
  append(result, data, gather.batch_dims + tuple.value, data.rank());
  return SymbolicShape(std::move(result));
}

namespace {

// A1: the axis of the result that indices lack.
Status check_new_axis(const Rules& rules, std::int64_t axis, const KnownInput& indices) {
  const std::int64_t q = indices.rank();
  if (axis >= -q - 1 && axis <= q) return {};
  return rules.invalid("A1", "axis is " + std::to_string(axis) + ", must be in [" +
                                 std::to_string(-q - 1) + ", " + std::to_string(q) + "] for " +
                                 with_rank(indices));
}

// C1.
Status check_on_and_off(const Rules& rules, const KnownInputs& inputs, const OneHotInputs& places) {
  if (places.is_pair()) return check_shape(rules, "C1", inputs[places.on_value], {Dim{2, {}}});
  for (const std::size_t place : {places.on_value, places.off_value})
    if (Status status = check_shape(rules, "C1", inputs[place], {}); !status) return status;
  return {};
}

}  // namespace

Result<SymbolicShape> check_one_hot(const Rules& rules, std::int64_t axis,
                                    const KnownInputs& inputs, const OneHotInputs& places) {
  const KnownInput& indices = inputs[places.indices];
  if (Status status = check_on_and_off(rules, inputs, places); !status) return status;
  if (indices.has_rank()) {
    if (Status status = check_new_axis(rules, axis, indices); !status) return status;
    if (Status status = check_result_rank(rules, "C2", indices.rank() + 1); !status) return status;
  }
  const auto depth = check_count(rules, "C3", inputs[places.depth], places.depth_may_have_an_axis);
  if (!depth) return depth.error();
  if (!indices.has_rank()) return SymbolicShape();
  SymbolicDims result = *indices.dims;
  result.insert(result.begin() + normal_axis(axis, static_cast<int>(indices.rank()) + 1),
                Dim{depth->value_or(-1), {}});
  return SymbolicShape(std::move(result));
}

Operation build_one_hot(const Rules& rules, std::int64_t axis, std::span<const TensorSpec> inputs,
                        const OneHotInputs& places, const IndexUse& use) {
  const Shape& indices = inputs[places.indices].shape;
  Operation operation;
  operation.scatter = true;
  operation.data_input = static_cast<int>(places.off_value);
  operation.updates_input = static_cast<int>(places.on_value);
  operation.data_element = 0;
  operation.updates_element = places.is_pair() ? 1 : 0;
  operation.elements_are_scalars = !places.is_pair();
  operation.map = one_hot_map(indices, normal_axis(axis, indices.rank() + 1),
                              fixed_value(inputs[places.depth]), use);
  operation.fixed_inputs = {static_cast<int>(places.depth)};
  operation.index_constraint = rules.label(index_rule(use, "C4"));
  operation.duplicate_constraint = rules.label("D1");
  return operation;
}

}  // namespace windrow::internal
