#include <string>

#include "src/dialects/array/build.h"
#include "src/dialects/array/reduction.h"
#include "src/dialects/array/schema.h"
#include "src/dialects/maps.h"

namespace windrow::internal {
namespace {

// CALL-O1: an id that belongs to no segment has no nearest one.
Status check_policy(const Rules& rules, OutOfRange policy) {
  if (policy == OutOfRange::kError || policy == OutOfRange::kSkip) return {};
  return rules.broken(ErrorCode::kInvalidArgument, "CALL-O1",
                      "out_of_range is '" + std::string(out_of_range_name(policy)) +
                          "', SegmentReduce takes error and skip");
}

// C1, A4, C2.
Status check(const Rules& rules, std::int64_t num_segments, const Shape& data, const Shape& ids) {
  if (data.rank() < 1)
    return rules.broken(ErrorCode::kShape, "C1", "data has rank 0, must have rank 1 or more");
  if (num_segments < 0)
    return rules.broken(ErrorCode::kInvalidArgument, "A4",
                        "num_segments is " + std::to_string(num_segments) + ", must be at least 0");
  if (ids == Shape{data[0]}) return {};
  return rules.broken(ErrorCode::kShape, "C2",
                      "segment_ids have shape " + to_string(ids) + ", must have shape [" +
                          std::to_string(data[0]) + "] for data of shape " + to_string(data));
}

}  // namespace

Result<Operation> build(const array::SegmentReduce& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  constexpr int kIds = 1;
  const Rules rules("array", "SegmentReduce", op.version);
  const OutOfRange policy = policy_of(op, options);
  if (Status status = check_policy(rules, policy); !status) return status;
  const auto combine = parse_array_reduction(rules, op.reduction, inputs[0].dtype);
  if (!combine) return combine.error();
  const Shape& data = inputs[0].shape;
  const Shape& ids = inputs[kIds].shape;
  if (Status status = check(rules, op.num_segments, data, ids); !status) return status;
  Operation operation;
  operation.scatter = true;
  operation.data_input = -1;
  operation.updates_input = 0;
  operation.combine = *combine;
  operation.from_data = false;
  operation.refuse_duplicates = refuses_duplicates(options, *combine);
  operation.result_shape = data;
  operation.result_shape[0] = op.num_segments;
  operation.map = slice_map(operation.result_shape, ids, 0, 0, {policy, Negatives::kOutside});
  operation.ascending_input = kIds;
  operation.order_constraint = rules.label("C3");
  operation.index_constraint = rules.label("C4");
  operation.duplicate_constraint = rules.label("D1");
  return operation;
}

}  // namespace windrow::internal
