#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "src/reference/onnx.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {
namespace {

// A2, C1, A1, C2, C3, C4.
Status check(const Call& call, const onnx::GatherND& op, const Shape& data, const Shape& indices) {
  const int r = data.rank();
  const int q = indices.rank();
  const std::int64_t b = op.batch_dims;
  if (op.version < 12 && b != 0)
    return call.invalid("A2", "batch_dims is " + std::to_string(b) + ", an attribute since 12");
  if (Status status = check_tuple_ranks(call, data, indices); !status.ok()) return status;
  if (b < 0 || b >= std::min(q, r)) {
    return call.invalid("A1", "batch_dims is " + std::to_string(b) + ", must be in [0, " +
                                  std::to_string(std::min(q, r) - 1) + "]");
  }
  const int batch = static_cast<int>(b);
  if (slice(data, 0, batch) != slice(indices, 0, batch)) {
    return call.shape("C2", "data of shape " + to_string(data) + " and indices of shape " +
                                to_string(indices) + " differ in the first " +
                                std::to_string(batch) + " extents");
  }
  const std::int64_t length = indices.back();
  if (length < 1 || length > r - batch) {
    return call.shape("C3", "indices have " + std::to_string(length) +
                                " coordinates in the last axis, must be 1 to " +
                                std::to_string(r - batch));
  }
  return check_result_rank(call, q - 1 + r - batch - static_cast<int>(length));
}

}  // namespace

Result<Tensor> run(const onnx::GatherND& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("onnx", "GatherND", op.version, Direction::kGather, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  if (Status status = check(call, op, data.shape, indices.shape); !status.ok()) return status;
  const int b = static_cast<int>(op.batch_dims);
  return gather_tuples(call, {"C5"}, data, indices, b,
                       tuple_result_shape(data.shape, indices.shape, b));
}

}  // namespace windrow::internal::reference
