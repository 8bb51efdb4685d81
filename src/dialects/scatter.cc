#include "src/dialects/scatter.h"

#include <algorithm>
#include <string>
#include <utility>

#include "src/dialects/gathers.h"

namespace windrow::internal {
namespace {

std::string rank_of(const KnownInput& input) {
  return input.has_rank() ? std::to_string(input.rank()) : "unknown";
}

// C2 of tuples.
Status check_length(const Rules& rules, const KnownInput& data, const Dim& tuple,
                    std::int64_t shortest) {
  if (!tuple.is_known()) return {};
  const bool too_long = data.has_rank() && tuple.value > data.rank();
  if (tuple.value >= shortest && !too_long) return {};
  const std::string range = "[" + std::to_string(shortest) + ", " + rank_of(data) + "]";
  return rules.shape("C2",
                     "index tuples have length " + std::to_string(tuple.value) + ", must be " +
                         (!data.has_rank() ? "at least " + std::to_string(shortest)
                          : shortest > 0   ? "in " + range
                                           : "at most " + rank_of(data) + ", the rank of data"));
}

}  // namespace

Status check_element_ranks(const Rules& rules, const KnownInputs& inputs) {
  const KnownInput& data = inputs[0];
  const KnownInput& indices = inputs[1];
  const KnownInput& updates = inputs[2];
  if (!ranks_clash({&data, &indices, &updates}, 1)) return {};
  return rules.shape("C1", "data, indices and updates have ranks " + rank_of(data) + ", " +
                               rank_of(indices) + " and " + rank_of(updates) +
                               ", must be equal and at least 1");
}

Status check_element_shapes(const Rules& rules, const KnownInputs& inputs,
                            std::optional<std::int64_t> axis) {
  const KnownInput& indices = inputs[1];
  const KnownInput& updates = inputs[2];
  if (indices.has_rank() && !may_have_shape(updates, *indices.dims))
    return rules.shape("C2", describe_shape(updates) + ", must have the shape of indices, " +
                                 to_string(*indices.dims));
  return axis ? check_not_longer(rules, "C3", inputs[0], indices, *axis) : Status();
}

Status check_tuple_shapes(const Rules& rules, const KnownInputs& inputs,
                          const TupleScatter& scatter) {
  const KnownInput& data = inputs[0];
  const KnownInput& indices = inputs[1];
  const KnownInput& updates = inputs[2];
  if (Status status = check_tuple_ranks(rules, data, indices); !status) return status;
  if (!indices.has_rank()) return {};
  const Dim& tuple = indices[indices.rank() - 1];
  if (Status status = check_length(rules, data, tuple, scatter.shortest_tuple); !status)
    return status;
  if (!data.has_rank() || !updates.has_rank() || !tuple.is_known()) return {};
  SymbolicDims expected;
  append(expected, indices, 0, indices.rank() - 1);
  append(expected, data, tuple.value, data.rank());
  const bool is_single = expected.empty() && std::none_of(updates.dims->begin(),
                                                          updates.dims->end(), [](const Dim& dim) {
                                                            return must_differ(dim, {1, {}});
                                                          });
  if (scatter.takes_single && is_single) return {};
  return check_shape(rules, "C3", updates, expected);
}

Operation scatter_operation(const Rules& rules, AccessMap map, const ScatterUse& use,
                            const CallOptions& options, std::string_view rule) {
  Operation operation;
  operation.scatter = true;
  operation.updates_input = 2;
  operation.combine = use.combine;
  operation.from_data = use.from_data || use.combine == Combine::kAssign;
  operation.refuse_duplicates = refuses_duplicates(options, use.combine);
  operation.map = std::move(map);
  operation.index_constraint = rules.label(index_rule(use.indices, rule));
  operation.duplicate_constraint = rules.label("D1");
  return operation;
}

Operation cache_operation(const Rules& rules, AccessMap map, const CallOptions& options,
                          std::string_view rule) {
  Operation operation = scatter_operation(rules, std::move(map), {}, options, rule);
  operation.updates_input = 1;
  return operation;
}

Status check_segment_policy(const Rules& rules, OutOfRange policy) {
  if (policy == OutOfRange::kError || policy == OutOfRange::kSkip) return {};
  return rules.invalid("CALL-O1", "out_of_range is '" + std::string(out_of_range_name(policy)) +
                                      "', " + std::string(rules.name()) + " takes error and skip");
}

Status check_segment_ids(const Rules& rules, const KnownInputs& inputs) {
  const KnownInput& data = inputs[0];
  const SymbolicDims expected = {data.has_rank() ? data[0] : Dim()};
  if (may_have_shape(inputs[1], expected)) return {};
  return rules.shape("C2",
                     describe_shape(inputs[1]) + ", must have shape " + to_string(expected) +
                         (data.has_rank() ? " for data of shape " + to_string(*data.dims) : ""));
}

Status check_segment_offsets(const Rules& rules, const KnownInput& offsets, std::int64_t count) {
  if (!offsets.has_rank()) return {};
  const Dim& given = offsets.rank() == 1 ? offsets[0] : Dim();
  if (offsets.rank() == 1 &&
      (!given.is_known() || given.value == count || given.value - 1 == count))
    return {};
  return rules.shape("C2", describe_shape(offsets) + ", must have shape [" + std::to_string(count) +
                               "], or an element more, the end of the last segment");
}

SymbolicShape segments_shape(const KnownInput& data, Dim count) {
  if (!data.has_rank()) return SymbolicShape();
  SymbolicShape result = data.shape();
  result->front() = std::move(count);
  return result;
}

Operation segment_operation(const Rules& rules, std::span<const TensorSpec> inputs,
                            std::int64_t count, const ScatterUse& use, const CallOptions& options,
                            std::string_view order_rule, std::string_view rule) {
  constexpr int kIds = 1;
  Shape segments = inputs[0].shape;
  segments[0] = count;
  AccessMap map = slice_map(segments, {inputs[0].shape[0]}, 0, 0, use.indices);
  Operation operation = scatter_operation(rules, std::move(map), use, options, rule);
  operation.index_constraint = rules.label(rule);
  operation.data_input = -1;
  operation.updates_input = 0;
  operation.ascending_input = kIds;
  operation.order_constraint = rules.label(order_rule);
  return operation;
}

Operation segments_of_offsets(const Rules& rules, std::span<const TensorSpec> inputs, int offsets,
                              std::int64_t count, Combine combine, const CallOptions& options,
                              std::string_view rule) {
  const ScatterUse use = {combine, false, {OutOfRange::kSkip, Negatives::kOutside}};
  Operation operation = segment_operation(rules, inputs, count, use, options, rule, rule);
  operation.ascending_input = -1;
  Bags& bounds = operation.segments.emplace();
  bounds.bounds = Bags::Bounds::kOffsets;
  bounds.bounds_input = offsets;
  bounds.has_end = inputs[static_cast<std::size_t>(offsets)].shape[0] > count;
  bounds.bounds_constraint = rules.label(rule);
  return operation;
}

namespace {

auto find(std::span<const NamedCombine> reductions, std::string_view name) {
  return std::find_if(reductions.begin(), reductions.end(),
                      [&](const NamedCombine& known) { return known.name == name; });
}

}  // namespace

Status check_reduction(const Rules& rules, const std::string& name,
                       std::span<const NamedCombine> reductions, DType dtype,
                       bool (*has_meaning)(Combine, DType)) {
  const auto found = find(reductions, name);
  if (found == reductions.end()) {
    std::string list;
    for (const NamedCombine& known : reductions)
      list += (list.empty() ? "" : ", ") + std::string(known.name);
    return rules.invalid("A3", "reduction is '" + name + "', must be one of: " + list);
  }
  if (has_meaning(found->combine, dtype)) return {};
  return rules.broken(
      ErrorCode::kType, "A3",
      "reduction '" + name + "' has no meaning for " + std::string(dtype_name(dtype)));
}

Combine find_combine(std::span<const NamedCombine> reductions, std::string_view name) {
  return find(reductions, name)->combine;
}

}  // namespace windrow::internal
