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
  if (Status status = check_off_axis(rules, indices, data, *axis); !status) return status;
  SymbolicDims result;
  for (std::int64_t d = 0; d < data.rank(); ++d)
    result.push_back(d == *axis ? indices[d] : same_dim(indices[d], data[d]));
  return SymbolicShape(std::move(result));
}

Operation build(const Rules& rules, const openvino::GatherElements& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const IndexUse use = index_use(op, options);
  const int axis = normal_axis(op.axis, data.rank());
  return gather_operation(rules, element_map(data, inputs[1].shape, axis, use), use, "C3");
}

}  // namespace windrow::internal
