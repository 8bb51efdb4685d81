#include "src/dialects/array/along_axis.h"

#include <string>

#include "src/dialects/gather_checks.h"

namespace windrow::internal {

Result<int> check_along_axis(const Rules& rules, std::int64_t axis,
                             std::span<const TensorSpec> inputs) {
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  if (Status status = check_common_rank(rules, data, indices); !status) return status;
  const auto normal = normal_axis(axis, data.rank());
  if (!normal) return axis_error(rules, axis, "data", data.rank());
  for (int d = 0; d < data.rank(); ++d) {
    if (d == *normal || data[d] == indices[d] || data[d] == 1 || indices[d] == 1) continue;
    return rules.broken(ErrorCode::kShape, "C2",
                        "data has shape " + to_string(data) + " and indices have shape " +
                            to_string(indices) + ": they differ in axis " + std::to_string(d) +
                            " and none is 1");
  }
  return *normal;
}

}  // namespace windrow::internal
