#include <string>

#include "src/reference/cache.h"
#include "src/reference/indices.h"
#include "src/reference/onnx.h"

namespace windrow::internal::reference {
namespace {

// A3, C1, A1, C2, C3, C4. Returns the axis, counted from the front.
Result<int> check(const Call& call, const onnx::TensorScatter& op, const Shape& cache,
                  const Shape& update, const TensorView& write_indices) {
  if (op.mode != "linear" && op.mode != "circular")
    return call.invalid("A3", "mode is '" + op.mode + "', must be linear or circular");
  const int r = cache.rank();
  if (r < 2 || update.rank() != r) {
    return call.shape("C1", "past_cache has rank " + std::to_string(r) + " and update has rank " +
                                std::to_string(update.rank()) + ", must be equal and at least 2");
  }
  const auto axis = check_axis(call, op.axis, "past_cache", r);
  if (!axis) return axis;
  if (*axis == 0)
    return call.invalid("A1", "axis is " + std::to_string(op.axis) + ", the batch axis");
  if (Status status = check_off_axis(call, "C2", "past_cache", *axis); !status) return status;
  if (update[*axis] > cache[*axis])
    return call.shape("C3", "update has shape " + to_string(update) + ", longer than past_cache, " +
                                to_string(cache) + ", in axis " + std::to_string(*axis));
  if (write_indices.is_absent()) return axis;
  if (Status status = check_write_indices(call, "C4", write_indices.shape); !status) return status;
  return axis;
}

}  // namespace

Result<Tensor> run(const onnx::TensorScatter& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "TensorScatter", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  const TensorView write_indices = inputs.size() > 2 ? inputs[2] : TensorView();
  const auto axis = check(call, op, inputs[0].shape, inputs[1].shape, write_indices);
  if (!axis) return axis.error();
  const CacheMode mode = op.mode == "circular" ? CacheMode::kCircular : CacheMode::kLinear;
  return write_cache(call, {"C5", "write_indices", "past_cache"}, mode, *axis, write_indices);
}

}  // namespace windrow::internal::reference
