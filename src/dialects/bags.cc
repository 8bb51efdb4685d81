#include "src/dialects/bags.h"

#include <string>
#include <utility>

#include "src/dialects/gathers.h"
#include "src/dialects/maps.h"

namespace windrow::internal {

const KnownInput* input_of(const KnownInputs& inputs, int number) {
  return number < 0 ? nullptr : &inputs[static_cast<std::size_t>(number)];
}

bool is_given(const KnownInput& input) { return input.has_rank() || input.dtype != DType::kAbsent; }

Status check_rank(const Rules& rules, std::string_view rule, const KnownInput& input,
                  std::int64_t rank) {
  if (!input.has_rank() || input.rank() == rank) return {};
  return rules.shape(rule, describe_shape(input) + ", must have rank " + std::to_string(rank));
}

Status check_bag_table(const Rules& rules, const KnownInput& table, bool packed) {
  if (Status status = check_has_axes(rules, "C1", table); !status) return status;
  const std::int64_t most = packed ? kMaxRank - 1 : kMaxRank;
  if (table.has_rank() && table.rank() > most)
    return rules.shape(
        "C1", describe_shape(table) + ", must have rank " + std::to_string(most) + " or less");
  return {};
}

Status check_bag_options(const Rules& rules, const KnownInputs& inputs, const BagForm& form) {
  if (const KnownInput* index = input_of(inputs, form.default_input); index != nullptr)
    if (Status status = check_rank(rules, form.default_shape, *index, 0); !status) return status;
  const KnownInput& weights = *input_of(inputs, form.weights_input);
  const KnownInput& indices = inputs[kIdsInput];
  if (!indices.has_rank()) return {};
  return check_shape(rules, form.weights_shape, weights, *indices.dims);
}

SymbolicShape pooled_shape(const KnownInput& table, Dim bags) {
  if (!table.has_rank()) return {};
  SymbolicDims result = {std::move(bags)};
  append(result, table, 1, table.rank());
  return result;
}

Operation build_bags(const Rules& rules, const BagForm& form, Combine combine,
                     std::span<const TensorSpec> inputs, const IndexUse& use) {
  AccessMap map = slice_map(inputs[kTableInput].shape, inputs[kIdsInput].shape, 0, 0, use);
  Operation operation = gather_operation(rules, std::move(map), use, form.index_rule);
  operation.combine = combine;
  const auto given = [&](int number) {
    const bool is_there = number >= 0 && static_cast<std::size_t>(number) < inputs.size() &&
                          !inputs[static_cast<std::size_t>(number)].is_absent();
    return is_there ? number : -1;
  };
  operation.bags = Bags{.bounds = form.bounds,
                        .bounds_input = form.bounds_input,
                        .default_input = given(form.default_input),
                        .weights_input = given(form.weights_input),
                        .bounds_constraint = rules.label(form.bounds_rule),
                        .default_constraint = rules.label(form.default_rule)};
  return operation;
}

}  // namespace windrow::internal
