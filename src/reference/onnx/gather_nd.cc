#include <cstdint>
#include <string>

#include "src/reference/onnx.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {

Result<Tensor> run(const onnx::GatherND& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "GatherND", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  const std::int64_t b = op.batch_dims;
  if (op.version < 12 && b != 0)
    return call.invalid("A2", "batch_dims is " + std::to_string(b) + ", an attribute since 12");
  const auto result_shape = check_tuple_gather(call, {.batch_count = {"A1"}}, b);
  if (!result_shape) return result_shape.error();
  return gather_tuples(call, {"C5"}, static_cast<int>(b), *result_shape);
}

}  // namespace windrow::internal::reference
