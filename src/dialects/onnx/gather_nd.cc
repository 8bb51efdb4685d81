#include "src/dialects/maps.h"
#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/schema.h"
#include "src/dialects/tuple_gather.h"

namespace windrow::internal {
Result<Operation> build(const onnx::GatherND& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("onnx", "GatherND", op.version);
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  if (Status status = check_tuple_gather(rules, {op.batch_dims}, data, indices); !status)
    return status;
  Operation operation;
  operation.map =
      tuple_map(data, indices, static_cast<int>(op.batch_dims), {policy_of(op, options)});
  operation.result_shape = operation.map.loops;
  operation.index_constraint = rules.label("C5");
  return operation;
}

}  // namespace windrow::internal
