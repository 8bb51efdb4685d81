#include "src/dialects/array/index_rows.h"

#include <string>

namespace windrow::internal {

Result<Operation> build_index_rows(const Rules& rules, std::int64_t axis,
                                   std::span<const TensorSpec> inputs, const ScatterUse& use,
                                   const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  const Shape& updates = inputs[2].shape;
  if (data.rank() < 1)
    return rules.broken(ErrorCode::kShape, "C1", "data has rank 0, must have rank 1 or more");
  const auto normal = normal_axis(axis, data.rank());
  if (!normal) return axis_error(rules, axis, "data", data.rank());
  if (indices.rank() != 1)
    return rules.broken(ErrorCode::kShape, "C2",
                        "indices have rank " + std::to_string(indices.rank()) + ", must have 1");
  Shape expected = data;
  expected[*normal] = indices[0];
  if (!(updates == expected))
    return rules.broken(
        ErrorCode::kShape, "C3",
        "updates have shape " + to_string(updates) + ", must have shape " + to_string(expected));
  return scatter_operation(rules, inputs, slice_map(data, indices, *normal, 0, use.indices), use,
                           options);
}

}  // namespace windrow::internal
