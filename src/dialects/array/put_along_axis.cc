#include <utility>

#include "src/dialects/array/along_axis.h"
#include "src/dialects/array/build.h"
#include "src/dialects/array/indices.h"
#include "src/dialects/array/schema.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {
namespace {

// C3.
bool broadcasts_to(const Shape& values, const Shape& loops) {
  for (int d = 0; d < values.rank(); ++d) {
    const int loop = loops.rank() - values.rank() + d;
    if (values[d] != 1 && (loop < 0 || values[d] != loops[loop])) return false;
  }
  return true;
}

}  // namespace

Result<Operation> build(const array::PutAlongAxis& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("array", "PutAlongAxis", op.version);
  const Result<int> axis = check_along_axis(rules, op.axis, inputs);
  if (!axis) return axis.error();
  const Shape& values = inputs[2].shape;
  const ScatterUse use = {Combine::kAssign, true, array_indices(policy_of(op, options))};
  AccessMap map = broadcast_element_map(inputs[0].shape, inputs[1].shape, *axis, use.indices);
  if (!broadcasts_to(values, map.loops))
    return rules.broken(ErrorCode::kShape, "C3",
                        "values have shape " + to_string(values) + ", must broadcast to " +
                            to_string(map.loops) + ", the shape that data, " +
                            to_string(inputs[0].shape) + ", and indices, " +
                            to_string(inputs[1].shape) + ", address");
  const bool broadcast = !(values == map.loops);
  Operation operation = scatter_operation(rules, inputs, std::move(map), use, options);
  operation.updates_broadcast = broadcast;
  return operation;
}

}  // namespace windrow::internal
