#include "src/dialects/bags.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "src/dialects/gathers.h"
#include "src/dialects/openvino/schema.h"
#include "src/dialects/scatter.h"

// Pooled look-ups: the bags and EmbeddingSegmentsSum. And GatherTree, whose walk has no map either.
namespace windrow::internal {
namespace {

constexpr BagForm kPackedForm = {.weights_input = 2, .weights_shape = "C3", .index_rule = "C4"};
constexpr BagForm kOffsetForm = {.bounds = Bags::Bounds::kOffsets,
                                 .bounds_input = 2,
                                 .default_input = 3,
                                 .weights_input = 4,
                                 .default_shape = "C3",
                                 .weights_shape = "C4",
                                 .bounds_rule = "C5",
                                 .default_rule = "C6",
                                 .index_rule = "C7"};
constexpr BagForm kSegmentForm = {.bounds = Bags::Bounds::kSegments,
                                  .bounds_input = 2,
                                  .default_input = 4,
                                  .weights_input = 5,
                                  .default_shape = "C4",
                                  .weights_shape = "C5",
                                  .bounds_rule = "C6",
                                  .default_rule = "C7",
                                  .index_rule = "C8"};
constexpr int kSegments = 3;

// T5: all inputs of indices have one type.
Status check_one_type(const Rules& rules, const KnownInputs& inputs, const BagForm& form) {
  const KnownInput& indices = inputs[kIdsInput];
  const bool has_segments = form.bounds == Bags::Bounds::kSegments;
  for (const int number : {form.bounds_input, has_segments ? kSegments : -1, form.default_input}) {
    const KnownInput* const other = input_of(inputs, number);
    if (other == nullptr || other->dtype == DType::kAbsent || indices.dtype == DType::kAbsent ||
        other->dtype == indices.dtype)
      continue;
    return rules.broken(
        ErrorCode::kType, "T5",
        std::string(other->name) + " has type " + std::string(dtype_name(other->dtype)) +
            ", must have the type of indices, " + std::string(dtype_name(indices.dtype)));
  }
  return {};
}

// C2: the ranks of indices and of what bounds the bags; of segment ids the extent, too.
Status check_bounds(const Rules& rules, const KnownInputs& inputs, const BagForm& form) {
  const KnownInput& indices = inputs[kIdsInput];
  const bool packed = form.bounds == Bags::Bounds::kRows;
  if (Status status = check_rank(rules, "C2", indices, packed ? 2 : 1); !status || packed)
    return status;
  const KnownInput& bounds = *input_of(inputs, form.bounds_input);
  if (form.bounds == Bags::Bounds::kSegments && indices.has_rank())
    return check_shape(rules, "C2", bounds, *indices.dims);
  return check_rank(rules, "C2", bounds, 1);
}

// T5, C1 and C2.
Status check_forms(const Rules& rules, const KnownInputs& inputs, const BagForm& form) {
  if (Status status = check_one_type(rules, inputs, form); !status) return status;
  if (Status status =
          check_bag_table(rules, inputs[kTableInput], form.bounds == Bags::Bounds::kRows);
      !status)
    return status;
  return check_bounds(rules, inputs, form);
}

// All rules about shapes of the bags; their number is that of the rows of indices, or of offsets.
Result<SymbolicShape> check_bags(const Rules& rules, const KnownInputs& inputs,
                                 const BagForm& form) {
  if (Status status = check_forms(rules, inputs, form); !status) return status;
  if (Status status = check_bag_options(rules, inputs, form); !status) return status;
  const KnownInput& counted =
      inputs[static_cast<std::size_t>(form.bounds_input < 0 ? kIdsInput : form.bounds_input)];
  return pooled_shape(inputs[kTableInput], counted.has_rank() ? counted[0] : Dim());
}

// A3; A4: a mean has no weights; and all rules about shapes.
template <class Op>
Result<SymbolicShape> check_reduced_bags(const Rules& rules, const Op& op,
                                         const KnownInputs& inputs, const BagForm& form) {
  if (Status status = check_reduction(rules, op, DType::kAbsent, &openvino_has_meaning); !status)
    return status;
  if (op.reduction == "mean" && is_given(*input_of(inputs, form.weights_input)))
    return rules.invalid("A4", "reduction is 'mean', which takes no per_sample_weights");
  return check_bags(rules, inputs, form);
}

template <class Op>
IndexUse bag_use(const Op& op, const CallOptions& options) {
  return {policy_of(op, options), negatives_of(options, Negatives::kOutside)};
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const openvino::EmbeddingBagOffsetsSum& /*op*/,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  return check_bags(rules, inputs, kOffsetForm);
}

Operation build(const Rules& rules, const openvino::EmbeddingBagOffsetsSum& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  return build_bags(rules, kOffsetForm, Combine::kAdd, inputs, bag_use(op, options));
}

Result<SymbolicShape> check(const Rules& rules, const openvino::EmbeddingBagOffsets& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  return check_reduced_bags(rules, op, inputs, kOffsetForm);
}

Operation build(const Rules& rules, const openvino::EmbeddingBagOffsets& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  return build_bags(rules, kOffsetForm, combine_of(op), inputs, bag_use(op, options));
}

Result<SymbolicShape> check(const Rules& rules, const openvino::EmbeddingBagPackedSum& /*op*/,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  return check_bags(rules, inputs, kPackedForm);
}

Operation build(const Rules& rules, const openvino::EmbeddingBagPackedSum& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  return build_bags(rules, kPackedForm, Combine::kAdd, inputs, bag_use(op, options));
}

Result<SymbolicShape> check(const Rules& rules, const openvino::EmbeddingBagPacked& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  return check_reduced_bags(rules, op, inputs, kPackedForm);
}

Operation build(const Rules& rules, const openvino::EmbeddingBagPacked& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  return build_bags(rules, kPackedForm, combine_of(op), inputs, bag_use(op, options));
}

Result<SymbolicShape> check(const Rules& rules, const openvino::EmbeddingSegmentsSum& /*op*/,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_forms(rules, inputs, kSegmentForm); !status) return status;
  const auto segments = check_count(rules, "C3", inputs[kSegments]);
  if (!segments) return segments.error();
  if (Status status = check_bag_options(rules, inputs, kSegmentForm); !status) return status;
  return pooled_shape(inputs[kTableInput], Dim{segments->value_or(-1), {}});
}

Operation build(const Rules& rules, const openvino::EmbeddingSegmentsSum& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  Operation operation =
      build_bags(rules, kSegmentForm, Combine::kAdd, inputs, bag_use(op, options));
  operation.fixed_inputs = {kSegments};
  return operation;
}

namespace {

constexpr int kSteps = 0;
constexpr int kParents = 1;
constexpr int kLengths = 2;
constexpr int kEnd = 3;

// CALL-O1, CALL-O4: the walk needs a beam for every parent.
Status check_walk_options(const Rules& rules, const openvino::GatherTree& op,
                          const CallOptions& options) {
  const OutOfRange policy = policy_of(op, options);
  if (policy != OutOfRange::kError)
    return rules.invalid("CALL-O1", "out_of_range is '" + std::string(out_of_range_name(policy)) +
                                        "', GatherTree takes error");
  if (options.padding_index)
    return rules.invalid("CALL-O4", "padding_index is " + std::to_string(*options.padding_index) +
                                        ", GatherTree takes none");
  return {};
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const openvino::GatherTree& op,
                            const KnownInputs& inputs, const CallOptions& options) {
  const KnownInput& steps = inputs[kSteps];
  const KnownInput& parents = inputs[kParents];
  if (Status status = check_walk_options(rules, op, options); !status) return status;
  if (Status status = check_rank(rules, "C1", steps, 3); !status) return status;
  const SymbolicDims shape = steps.has_rank() ? *steps.dims : SymbolicDims(3);
  if (Status status = check_shape(rules, "C2", parents, shape); !status) return status;
  const Dim batch = same_dim(shape[1], parents.has_rank() ? parents[1] : Dim());
  if (Status status = check_shape(rules, "C3", inputs[kLengths], {batch}); !status) return status;
  if (Status status = check_rank(rules, "C4", inputs[kEnd], 0); !status) return status;
  SymbolicDims result = shape;
  if (parents.has_rank())
    for (std::size_t d = 0; d < result.size(); ++d)
      result[d] = same_dim(result[d], (*parents.dims)[d]);
  return SymbolicShape(std::move(result));
}

Operation build(const Rules& rules, const openvino::GatherTree& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const Shape& shape = inputs[kSteps].shape;
  const IndexUse use = {policy_of(op, options), negatives_of(options, Negatives::kOutside)};
  AccessMap map;
  map.loops = shape;
  map.axes = {loop_axis(shape[0], 0), loop_axis(shape[1], 1),
              index_axis(shape[2], kParents, {{0}, {1}, {2}}, use)};
  Operation operation = gather_operation(rules, std::move(map), use, "C5");
  operation.beams = Beams{kLengths, kEnd};
  return operation;
}

}  // namespace windrow::internal
