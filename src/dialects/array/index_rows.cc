#include "src/dialects/array/index_rows.h"

#include <string>

namespace windrow::internal {

Result<SymbolicShape> check_index_rows(const Rules& rules, std::int64_t axis,
                                       const KnownInputs& inputs) {
  const KnownInput& data = inputs[0];
  const KnownInput& indices = inputs[1];
  if (Status status = check_has_axes(rules, "C1", data); !status) return status;
  const auto normal = check_axis(rules, axis, data);
  if (!normal) return normal.error();
  if (indices.has_rank() && indices.rank() != 1)
    return rules.shape("C2",
                       "indices have rank " + std::to_string(indices.rank()) + ", must have 1");
  if (!*normal) return SymbolicShape();
  SymbolicDims expected = *data.dims;
  expected[static_cast<std::size_t>(**normal)] = indices.has_rank() ? indices[0] : Dim();
  if (Status status = check_shape(rules, "C3", inputs[2], expected); !status) return status;
  return data.shape();
}

Operation build_index_rows(const Rules& rules, std::int64_t axis,
                           std::span<const TensorSpec> inputs, const ScatterUse& use,
                           const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  return scatter_operation(
      rules, slice_map(data, inputs[1].shape, normal_axis(axis, data.rank()), 0, use.indices), use,
      options);
}

}  // namespace windrow::internal
