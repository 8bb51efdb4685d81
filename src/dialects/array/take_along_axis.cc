#include "src/dialects/array/along_axis.h"
#include "src/dialects/array/build.h"
#include "src/dialects/array/indices.h"
#include "src/dialects/gather_rules.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const array::TakeAlongAxis& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  return check_along_axis(rules, op.axis, inputs[0], inputs[1]);
}

Operation build(const Rules& rules, const array::TakeAlongAxis& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const IndexUse use = array_indices(policy_of(op, options));
  const int axis = normal_axis(op.axis, data.rank());
  return gather_operation(rules, broadcast_element_map(data, inputs[1].shape, axis, use), use,
                          "C3");
}

}  // namespace windrow::internal
