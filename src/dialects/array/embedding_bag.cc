#include <span>
#include <string>
#include <utility>

#include "src/dialects/array/schema.h"
#include "src/dialects/bags.h"
#include "src/dialects/scatter.h"

// EmbeddingBag: the rows of a table, pooled by bags of ids.
namespace windrow::internal {
namespace {

constexpr int kOffsets = 2;
constexpr int kWeights = 3;

constexpr BagForm kMatrixForm = {
    .weights_input = kWeights, .weights_shape = "C4", .index_rule = "C6"};
constexpr BagForm kListForm = {.bounds = Bags::Bounds::kOffsets,
                               .bounds_input = kOffsets,
                               .weights_input = kWeights,
                               .weights_shape = "C4",
                               .bounds_rule = "C5",
                               .index_rule = "C6"};

// The floats that float32 holds exactly.
bool fits_float32(DType dtype) {
  return dtype == DType::kFloat32 || dtype == DType::kFloat16 || dtype == DType::kBFloat16 ||
         dtype == DType::kFloat8E4M3FN || dtype == DType::kFloat8E5M2;
}

// T3: weights have the type of the table, or are float32 where the sum is.
Status check_weights_type(const Rules& rules, const array::EmbeddingBag& op,
                          const KnownInputs& inputs) {
  const DType table = inputs[kTableInput].dtype;
  const DType weights = inputs[kWeights].dtype;
  if (weights == DType::kAbsent || table == DType::kAbsent || weights == table) return {};
  const bool in_float32 = op.accumulate == "float32" && fits_float32(table);
  if (in_float32 && weights == DType::kFloat32) return {};
  return rules.broken(ErrorCode::kType, "T3",
                      "weights has type " + std::string(dtype_name(weights)) +
                          ", must have the type of table, " + std::string(dtype_name(table)) +
                          (in_float32 ? ", or float32" : ""));
}

// A3, A4 and A5.
Status check_attributes(const Rules& rules, const array::EmbeddingBag& op,
                        const KnownInputs& inputs) {
  const DType table = inputs[kTableInput].dtype;
  if (Status status = check_reduction(rules, op, table, &array_has_meaning); !status) return status;
  if (!op.accumulate.empty() && op.accumulate != "float32")
    return rules.invalid("A4", "accumulate is '" + op.accumulate + "', must be '' or 'float32'");
  if (!op.accumulate.empty() && table != DType::kAbsent && !fits_float32(table))
    return rules.broken(ErrorCode::kType, "A4",
                        "accumulate is 'float32', which table of type " +
                            std::string(dtype_name(table)) +
                            " does not have: it is for floats of at most 32 bits");
  if (op.reduction != "sum" && is_given(inputs[kWeights]))
    return rules.invalid("A5", "reduction is '" + op.reduction + "', which takes no weights");
  return {};
}

// C2: ids of rank 1 have offsets of rank 1, ids of rank 2 have none.
Status check_ids(const Rules& rules, const KnownInputs& inputs) {
  const KnownInput& ids = inputs[kIdsInput];
  const KnownInput& offsets = inputs[kOffsets];
  if (ids.has_rank() && ids.rank() != 1 && ids.rank() != 2)
    return rules.shape("C2", describe_shape(ids) + ", must have rank 1 or 2");
  if (ids.has_rank() && ids.rank() == 1 && offsets.is_absent)
    return rules.shape("C2", "ids have rank 1, for which offsets must be given");
  if (ids.has_rank() && ids.rank() == 2 && is_given(offsets))
    return rules.shape("C2", "ids have rank 2, for which there are no offsets");
  return check_rank(rules, "C2", offsets, 1);
}

// C3: offsets that include the end of the last bag have an element. Returns the number of bags.
Result<Dim> check_bag_count(const Rules& rules, const array::EmbeddingBag& op,
                            const KnownInputs& inputs) {
  const KnownInput& ids = inputs[kIdsInput];
  const KnownInput& offsets = inputs[kOffsets];
  const bool in_matrix = offsets.is_absent || (ids.has_rank() && ids.rank() == 2);
  if (op.include_last_offset && in_matrix)
    return rules.shape("C3", "include_last_offset is true, for which offsets must be given");
  if (in_matrix) return ids.has_rank() ? ids[0] : Dim();
  if (!offsets.has_rank()) return Dim();
  if (!op.include_last_offset) return offsets[0];
  if (!offsets[0].is_known()) return Dim();
  if (offsets[0].value == 0)
    return rules.shape("C3", "include_last_offset is true, for which offsets must have an element");
  return Dim{offsets[0].value - 1, {}};
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const array::EmbeddingBag& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_weights_type(rules, op, inputs); !status) return status;
  if (Status status = check_attributes(rules, op, inputs); !status) return status;
  const KnownInput& ids = inputs[kIdsInput];
  const bool in_matrix = ids.has_rank() && ids.rank() == 2;
  if (Status status = check_bag_table(rules, inputs[kTableInput], in_matrix); !status)
    return status;
  if (Status status = check_ids(rules, inputs); !status) return status;
  auto bags = check_bag_count(rules, op, inputs);
  if (!bags) return bags.error();
  if (Status status = check_bag_options(rules, inputs, kListForm); !status) return status;
  return pooled_shape(inputs[kTableInput], *std::move(bags));
}

Operation build(const Rules& rules, const array::EmbeddingBag& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const bool in_matrix = inputs[kIdsInput].shape.rank() == 2;
  const Combine combine = combine_of(op);
  Operation operation = build_bags(rules, in_matrix ? kMatrixForm : kListForm, combine, inputs,
                                   array_indices(policy_of(op, options), options));
  operation.bags->first_is_zero = !in_matrix;
  operation.bags->has_end = op.include_last_offset;
  // A maximum and a sum of float32 are the same either way.
  operation.bags->in_float32 = !op.accumulate.empty() && combine != Combine::kMax &&
                               inputs[kTableInput].dtype != DType::kFloat32;
  return operation;
}

}  // namespace windrow::internal
