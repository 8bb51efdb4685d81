#include <string>
#include <utility>

#include "src/dialects/gather_rules.h"
#include "src/dialects/maps.h"
#include "src/dialects/openvino/build.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const openvino::GatherElements& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  const KnownInput& data = inputs[0];
  const KnownInput& indices = inputs[1];
  if (Status status = check_common_rank(rules, data, indices); !status) return status;
  const auto axis = check_axis(rules, op.axis, data.has_rank() ? data : indices);
  if (!axis) return axis.error();
  if (!data.has_rank() || !indices.has_rank()) return indices.shape();
  SymbolicDims result = *indices.dims;
  for (std::int64_t d = 0; d < data.rank(); ++d) {
    if (d == *axis) continue;
    if (must_differ(indices[d], data[d]))
      return rules.broken(
          ErrorCode::kShape, "C2",
          describe_shapes(indices, data) + "they differ in axis " + std::to_string(d));
    result[static_cast<std::size_t>(d)] = same_dim(indices[d], data[d]);
  }
  return SymbolicShape(std::move(result));
}

Operation build(const Rules& rules, const openvino::GatherElements& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  Operation operation;
  operation.map = element_map(data, inputs[1].shape, normal_axis(op.axis, data.rank()),
                              {policy_of(op, options)});
  operation.index_constraint = rules.label("C3");
  return operation;
}

}  // namespace windrow::internal
