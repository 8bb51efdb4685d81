#include "src/dialects/gather_rules.h"
#include "src/dialects/maps.h"
#include "src/dialects/onnx/build.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const onnx::Gather& op, const KnownInputs& inputs,
                            const CallOptions& /*options*/) {
  return check_slices(rules, op.axis, inputs[0], inputs[1]);
}

Operation build(const Rules& rules, const onnx::Gather& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const IndexUse use = index_use(op, options, 11);
  const int axis = normal_axis(op.axis, data.rank());
  return gather_operation(rules, slice_map(data, inputs[1].shape, axis, 0, use), use, "C3");
}

}  // namespace windrow::internal
