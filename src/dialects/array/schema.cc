#include "src/dialects/array/schema.h"

#include <string>
#include <utility>

#include "src/dialects/gathers.h"

namespace windrow::internal {

Result<SymbolicShape> check_along_axis(const Rules& rules, std::int64_t axis,
                                       const KnownInput& data, const KnownInput& indices) {
  if (Status status = check_common_rank(rules, data, indices); !status) return status;
  const auto normal = check_axis(rules, axis, data.has_rank() ? data : indices);
  if (!normal) return normal.error();
  if (!data.has_rank() || !indices.has_rank()) return SymbolicShape();
  SymbolicDims dims;
  for (std::int64_t d = 0; d < data.rank(); ++d) {
    const bool indexed = d == *normal;
    if (!indexed && must_clash(data[d], indices[d]))
      return rules.shape("C2", describe_shapes(data, indices) + "they differ in axis " +
                                   std::to_string(d) + " and none is 1");
    dims.push_back(indexed ? indices[d] : broadcast_dim(data[d], indices[d]));
  }
  return SymbolicShape(std::move(dims));
}

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
