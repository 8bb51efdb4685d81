#include "src/dialects/openvino/axis_input.h"

#include "src/access/evaluate.h"

namespace windrow::internal {

Result<int> read_axis_input(const Rules& rules, const TensorSpec& axis, int rank) {
  if (axis.shape.rank() > 1 || element_count(axis.shape) != 1)
    return rules.broken(ErrorCode::kInvalidArgument, "A1",
                        "axis has shape " + to_string(axis.shape) +
                            ", must have rank 0, or rank 1 and one element");
  if (axis.value == nullptr || axis.value->dtype() != axis.dtype ||
      !(axis.value->shape() == axis.shape))
    return rules.broken(ErrorCode::kInvalidArgument, "A1",
                        "the value of axis must be known when the plan is compiled");
  const std::int64_t value = read_index(axis.dtype, axis.value->data());
  if (const auto normal = normal_axis(value, rank)) return *normal;
  return axis_error(rules, value, "data", rank);
}

}  // namespace windrow::internal
