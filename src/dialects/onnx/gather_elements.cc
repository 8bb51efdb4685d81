#include "src/dialects/gather_rules.h"
#include "src/dialects/maps.h"
#include "src/dialects/onnx/build.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const onnx::GatherElements& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  const KnownInput& data = inputs[0];
  const KnownInput& indices = inputs[1];
  if (Status status = check_common_rank(rules, data, indices); !status) return status;
  const auto axis = check_axis(rules, op.axis, data.has_rank() ? data : indices);
  if (!axis) return axis.error();
  if (*axis)
    if (Status status = check_not_longer(rules, "C2", data, indices, **axis); !status)
      return status;
  return indices.shape();
}

Operation build(const Rules& rules, const onnx::GatherElements& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const IndexUse use = index_use(op, options);
  const int axis = normal_axis(op.axis, data.rank());
  return gather_operation(rules, element_map(data, inputs[1].shape, axis, use), use, "C3");
}

}  // namespace windrow::internal
