#include "src/dialects/array/along_axis.h"
#include "src/dialects/array/build.h"
#include "src/dialects/array/indices.h"
#include "src/dialects/array/schema.h"

namespace windrow::internal {

Result<Operation> build(const array::TakeAlongAxis& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("array", "TakeAlongAxis", op.version);
  const Result<int> axis = check_along_axis(rules, op.axis, inputs);
  if (!axis) return axis.error();
  Operation operation;
  operation.map = broadcast_element_map(inputs[0].shape, inputs[1].shape, *axis,
                                        array_indices(policy_of(op, options)));
  operation.result_shape = operation.map.loops;
  operation.index_constraint = rules.label("C3");
  return operation;
}

}  // namespace windrow::internal
