#include <string>
#include <utility>

#include "src/dialects/array/build.h"
#include "src/dialects/array/reduction.h"
#include "src/dialects/maps.h"
#include "src/dialects/scatter.h"
#include "src/dialects/shape_rules.h"

namespace windrow::internal {
namespace {

// CALL-O1: an id that belongs to no segment has no nearest one.
Status check_policy(const Rules& rules, OutOfRange policy) {
  if (policy == OutOfRange::kError || policy == OutOfRange::kSkip) return {};
  return rules.invalid("CALL-O1", "out_of_range is '" + std::string(out_of_range_name(policy)) +
                                      "', SegmentReduce takes error and skip");
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const array::SegmentReduce& op,
                            const KnownInputs& inputs, const CallOptions& options) {
  const KnownInput& data = inputs[0];
  if (Status status = check_policy(rules, policy_of(op, options)); !status) return status;
  if (Status status =
          check_reduction(rules, op.reduction, kArrayReductions, data.dtype, &array_has_meaning);
      !status)
    return status;
  if (Status status = check_has_axes(rules, "C1", data); !status) return status;
  if (op.num_segments < 0)
    return rules.invalid(
        "A4", "num_segments is " + std::to_string(op.num_segments) + ", must be at least 0");
  const SymbolicDims expected = {data.has_rank() ? data[0] : Dim()};
  if (!may_have_shape(inputs[1], expected))
    return rules.shape("C2",
                       describe_shape(inputs[1]) + ", must have shape " + to_string(expected) +
                           (data.has_rank() ? " for data of shape " + to_string(*data.dims) : ""));
  if (!data.has_rank()) return SymbolicShape();
  SymbolicShape result = data.shape();
  result->front() = Dim{op.num_segments, {}};
  return result;
}

Operation build(const Rules& rules, const array::SegmentReduce& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  constexpr int kIds = 1;
  Shape segments = inputs[0].shape;
  segments[0] = op.num_segments;
  const ScatterUse use = {find_combine(kArrayReductions, op.reduction),
                          false,
                          {policy_of(op, options), Negatives::kOutside}};
  AccessMap map = slice_map(segments, inputs[kIds].shape, 0, 0, use.indices);
  Operation operation = scatter_operation(rules, std::move(map), use, options, "C4");
  operation.data_input = -1;
  operation.updates_input = 0;
  operation.ascending_input = kIds;
  operation.order_constraint = rules.label("C3");
  return operation;
}

}  // namespace windrow::internal
