#include <string>
#include <utility>

#include "src/dialects/array/infer_along_axis.h"
#include "src/dialects/array/infer_shape.h"
#include "src/dialects/array/reduction.h"

namespace windrow::internal {
namespace {

// C3 of PutAlongAxis.
Status check_values(const Rules& rules, const InferredInput& values, const SymbolicDims& shape) {
  const std::int64_t shift = static_cast<std::int64_t>(shape.size()) - values.rank();
  for (std::int64_t d = 0; d < values.rank(); ++d) {
    if (!values[d].is_known() || values[d].value == 1) continue;
    const bool beyond = d + shift < 0;
    if (beyond || must_differ(values[d], shape[static_cast<std::size_t>(d + shift)]))
      return rules.broken(ErrorCode::kShape, "C3",
                          "values has " + std::to_string(values[d].value) + " at axis " +
                              std::to_string(d) + ", which does not broadcast");
  }
  return {};
}

// C1, A1, C2 and C3 of IndexAdd and IndexReduce.
Result<SymbolicShape> infer_rows(const Rules& rules, std::int64_t axis,
                                 std::span<const SymbolicShape> inputs) {
  const InferredInput data("data", inputs[0]);
  const InferredInput indices("indices", inputs[1]);
  const InferredInput updates("updates", inputs[2]);
  if (Status status = check_rank(rules, "C1", data, 1); !status) return status;
  if (Status status = check_axis(rules, axis, data); !status) return status;
  if (indices.has_rank() && indices.rank() != 1)
    return rules.broken(ErrorCode::kShape, "C2",
                        "indices has rank " + std::to_string(indices.rank()) + ", must be 1");
  if (Status status = check_same_rank(rules, "C3", data, updates); !status) return status;
  if (!data.has_rank() || !updates.has_rank()) return inputs[0];
  const std::int64_t normal = resolve_axis(axis, data.rank());
  for (std::int64_t d = 0; d < data.rank(); ++d) {
    if (d == normal && !indices.has_rank()) continue;
    const Dim& wanted = d == normal ? indices[0] : data[d];
    if (must_differ(updates[d], wanted))
      return rules.broken(ErrorCode::kShape, "C3",
                          "updates has " + std::to_string(updates[d].value) + " at axis " +
                              std::to_string(d) + ", must have " + std::to_string(wanted.value));
  }
  return inputs[0];
}

}  // namespace

Result<SymbolicShape> infer_shape(const array::PutAlongAxis& op,
                                  std::span<const SymbolicShape> inputs) {
  const Rules rules("array", "PutAlongAxis", op.version);
  const InferredInput values("values", inputs[2]);
  const auto shape = infer_along_axis(rules, op.axis, InferredInput("data", inputs[0]),
                                      InferredInput("indices", inputs[1]));
  if (!shape) return shape.error();
  if (*shape && values.has_rank()) {
    if (Status status = check_values(rules, values, **shape); !status) return status;
  }
  return inputs[0];
}

Result<SymbolicShape> infer_shape(const array::IndexAdd& op,
                                  std::span<const SymbolicShape> inputs) {
  return infer_rows(Rules("array", "IndexAdd", op.version), op.axis, inputs);
}

Result<SymbolicShape> infer_shape(const array::IndexReduce& op,
                                  std::span<const SymbolicShape> inputs) {
  const Rules rules("array", "IndexReduce", op.version);
  if (auto combine = parse_array_reduction(rules, op.reduction, DType::kAbsent); !combine)
    return combine.error();
  return infer_rows(rules, op.axis, inputs);
}

Result<SymbolicShape> infer_shape(const array::SegmentReduce& op,
                                  std::span<const SymbolicShape> inputs) {
  const Rules rules("array", "SegmentReduce", op.version);
  const InferredInput data("data", inputs[0]);
  const InferredInput ids("segment_ids", inputs[1]);
  if (auto combine = parse_array_reduction(rules, op.reduction, DType::kAbsent); !combine)
    return combine.error();
  if (Status status = check_rank(rules, "C1", data, 1); !status) return status;
  if (op.num_segments < 0)
    return rules.broken(
        ErrorCode::kInvalidArgument, "A4",
        "num_segments is " + std::to_string(op.num_segments) + ", must be at least 0");
  if (ids.has_rank() && ids.rank() != 1)
    return rules.broken(ErrorCode::kShape, "C2",
                        "segment_ids has rank " + std::to_string(ids.rank()) + ", must be 1");
  if (!data.has_rank()) return SymbolicShape();
  if (ids.has_rank() && must_differ(ids[0], data[0]))
    return rules.broken(ErrorCode::kShape, "C2",
                        compare_dims(ids, data, 0) + ": they must be equal");
  SymbolicDims result = *data.dims;
  result[0] = Dim{op.num_segments, {}};
  return SymbolicShape(std::move(result));
}

}  // namespace windrow::internal
