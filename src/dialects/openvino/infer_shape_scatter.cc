#include <string>

#include "src/dialects/infer_scatter.h"
#include "src/dialects/openvino/infer_axis.h"
#include "src/dialects/openvino/infer_shape.h"
#include "src/dialects/openvino/reduction.h"

namespace windrow::internal {
namespace {

// C2 of ScatterUpdate.
Status check_slices(const Rules& rules, const InferredInput& data, const InferredInput& indices,
                    const InferredInput& updates, std::optional<std::int64_t> axis) {
  const std::int64_t rank = data.rank() + indices.rank() - 1;
  if (updates.rank() != rank)
    return rules.broken(
        ErrorCode::kShape, "C2",
        "updates has rank " + std::to_string(updates.rank()) + ", must be " + std::to_string(rank));
  for (std::int64_t d = 0; axis && d < rank; ++d) {
    const bool indexed = d >= *axis && d < *axis + indices.rank();
    const Dim& wanted = indexed     ? indices[d - *axis]
                        : d < *axis ? data[d]
                                    : data[d - indices.rank() + 1];
    if (must_differ(updates[d], wanted))
      return rules.broken(ErrorCode::kShape, "C2",
                          "updates has " + std::to_string(updates[d].value) + " at axis " +
                              std::to_string(d) + ", must have " + std::to_string(wanted.value));
  }
  return {};
}

}  // namespace

Result<SymbolicShape> infer_shape(const openvino::ScatterUpdate& op,
                                  std::span<const SymbolicShape> inputs, KnownValues values) {
  const Rules rules("openvino", "ScatterUpdate", op.version);
  const InferredInput data("data", inputs[0]);
  const InferredInput indices("indices", inputs[1]);
  const InferredInput updates("updates", inputs[2]);
  if (Status status = check_rank(rules, "C1", data, 1); !status) return status;
  const auto axis = infer_axis(rules, data, inputs, values, 3);
  if (!axis) return axis.error();
  if (!data.has_rank() || !indices.has_rank() || !updates.has_rank()) return inputs[0];
  if (Status status = check_slices(rules, data, indices, updates, *axis); !status) return status;
  return inputs[0];
}

Result<SymbolicShape> infer_shape(const openvino::ScatterElementsUpdate& op,
                                  std::span<const SymbolicShape> inputs, KnownValues values) {
  const Rules rules("openvino", "ScatterElementsUpdate", op.version);
  if (auto combine = parse_reduction(rules, op.reduction, kElementReductions, DType::kAbsent);
      !combine)
    return combine.error();
  if (Status status = check_element_ranks(rules, inputs); !status) return status;
  const auto axis = infer_axis(rules, InferredInput("data", inputs[0]), inputs, values, 3);
  if (!axis) return axis.error();
  if (Status status = check_element_dims(rules, inputs, *axis); !status) return status;
  return inputs[0];
}

Result<SymbolicShape> infer_shape(const openvino::ScatterNDUpdate& op,
                                  std::span<const SymbolicShape> inputs, KnownValues /*values*/) {
  const Rules rules("openvino", "ScatterNDUpdate", op.version);
  if (auto combine = parse_reduction(rules, op.reduction, kTupleReductions, DType::kAbsent);
      !combine)
    return combine.error();
  if (Status status = check_tuple_dims(rules, inputs, true); !status) return status;
  return inputs[0];
}

}  // namespace windrow::internal
