#include <span>
#include <string>

#include "src/reference/cache.h"
#include "src/reference/indices.h"
#include "src/reference/onnx.h"

namespace windrow::internal::reference {
namespace {

// A3, C1, A1, C2, C3, C4.
Status check(const Call& call, const onnx::TensorScatter& op, const Shape& cache,
             const Shape& update, const TensorView& write_indices) {
  if (op.mode != "linear" && op.mode != "circular")
    return call.invalid("A3", "mode is '" + op.mode + "', must be linear or circular");
  const int r = cache.rank();
  if (r < 2 || update.rank() != r) {
    return call.shape("C1", "past_cache has rank " + std::to_string(r) + " and update has rank " +
                                std::to_string(update.rank()) + ", must be equal and at least 2");
  }
  const auto axis = normal_axis(op.axis, r);
  if (!axis) return call.invalid("A1", axis_text(op.axis, "past_cache", r));
  if (*axis == 0)
    return call.invalid("A1", "axis is " + std::to_string(op.axis) + ", the batch axis");
  const std::string shapes = "update has shape " + to_string(update) +
                             " and past_cache has shape " + to_string(cache) + ": ";
  for (int d = 0; d < r; ++d) {
    if (d != *axis && update[d] != cache[d])
      return call.shape("C2", shapes + "they differ in axis " + std::to_string(d));
  }
  if (update[*axis] > cache[*axis])
    return call.shape("C3", shapes + "update is longer in axis " + std::to_string(*axis));
  if (!write_indices.is_absent() && write_indices.shape != Shape{cache[0]}) {
    return call.shape("C4", "write_indices has shape " + to_string(write_indices.shape) +
                                ", must have shape " + to_string(Shape{cache[0]}));
  }
  return {};
}

}  // namespace

Result<Tensor> run(const onnx::TensorScatter& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("onnx", "TensorScatter", op.version, Direction::kScatter, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& past_cache = inputs[0];
  const TensorView& update = inputs[1];
  const TensorView write_indices = inputs.size() > 2 ? inputs[2] : TensorView();
  Status status = check(call, op, past_cache.shape, update.shape, write_indices);
  if (!status.ok()) return status;
  const CacheMode mode = op.mode == "circular" ? CacheMode::kCircular : CacheMode::kLinear;
  return write_cache(call, {"C5", "write_indices", "past_cache"}, mode,
                     *normal_axis(op.axis, past_cache.shape.rank()), past_cache, update,
                     write_indices);
}

}  // namespace windrow::internal::reference
