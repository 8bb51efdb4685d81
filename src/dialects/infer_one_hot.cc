#include "src/dialects/infer_one_hot.h"

#include <string>
#include <utility>

namespace windrow::internal {

Result<SymbolicShape> infer_one_hot(const Rules& rules, std::int64_t axis,
                                    std::span<const SymbolicShape> inputs, KnownValues known,
                                    const OneHotInputs& places) {
  const InferredInput indices("indices", inputs[places.indices]);
  const InferredInput depth("depth", inputs[places.depth]);
  const InferredInput values("values", inputs[places.values]);
  if (values.has_rank() && (values.rank() != 1 || (values[0].is_known() && values[0].value != 2)))
    return rules.broken(ErrorCode::kShape, "C1", "values must have shape [2]");
  if (!indices.has_rank()) return SymbolicShape();
  const auto rank = static_cast<int>(indices.rank());
  const auto normal = normal_axis(axis, rank + 1);
  if (!normal)
    return rules.broken(ErrorCode::kInvalidArgument, "A1",
                        "axis is " + std::to_string(axis) + ", must be in [" +
                            std::to_string(-rank - 1) + ", " + std::to_string(rank) + "]");
  if (Status status = check_result_rank(rules, "C2", rank + 1); !status) return status;
  const auto value = known_value(known, places.depth);
  const bool too_many = depth.has_rank() && depth.rank() > (places.depth_may_have_an_axis ? 1 : 0);
  if (too_many || (value && *value < 0))
    return rules.broken(ErrorCode::kShape, "C3", "depth must be one number, not negative");
  SymbolicDims result = *indices.dims;
  result.insert(result.begin() + *normal, Dim{value.value_or(-1), {}});
  return SymbolicShape(std::move(result));
}

}  // namespace windrow::internal
