#include <utility>

#include "src/dialects/array/infer_along_axis.h"
#include "src/dialects/array/infer_shape.h"

namespace windrow::internal {

Result<SymbolicShape> infer_shape(const array::Take& op, std::span<const SymbolicShape> inputs) {
  const Rules rules("array", "Take", op.version);
  const InferredInput data("data", inputs[0]);
  const InferredInput indices("indices", inputs[1]);
  if (Status status = check_rank(rules, "C1", data, 1); !status) return status;
  if (Status status = check_axis(rules, op.axis, data); !status) return status;
  if (!data.has_rank() || !indices.has_rank()) return SymbolicShape();
  const std::int64_t rank = data.rank() + indices.rank() - 1;
  if (Status status = check_result_rank(rules, "C2", rank); !status) return status;
  SymbolicDims result = *data.dims;
  const auto place = result.begin() + resolve_axis(op.axis, data.rank());
  result.insert(result.erase(place), indices.dims->begin(), indices.dims->end());
  return SymbolicShape(std::move(result));
}

Result<SymbolicShape> infer_shape(const array::TakeAlongAxis& op,
                                  std::span<const SymbolicShape> inputs) {
  return infer_along_axis(Rules("array", "TakeAlongAxis", op.version), op.axis,
                          InferredInput("data", inputs[0]), InferredInput("indices", inputs[1]));
}

}  // namespace windrow::internal
