#include "src/dialects/array/build.h"
#include "src/dialects/array/indices.h"
#include "src/dialects/gather_rules.h"

namespace windrow::internal {

Result<SymbolicShape> check(const Rules& rules, const array::Take& op, const KnownInputs& inputs,
                            const CallOptions& /*options*/) {
  return check_slices(rules, op.axis, inputs[0], inputs[1]);
}

Operation build(const Rules& rules, const array::Take& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const IndexUse use = array_indices(policy_of(op, options));
  const int axis = normal_axis(op.axis, data.rank());
  return gather_operation(rules, slice_map(data, inputs[1].shape, axis, 0, use), use, "C3");
}

}  // namespace windrow::internal
