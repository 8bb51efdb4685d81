#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "src/reference/along_axis.h"
#include "src/reference/indices.h"
#include "src/reference/openvino.h"
#include "src/reference/openvino/axis_input.h"

namespace windrow::internal::reference {
namespace {

// A4: the number of batch axes.
Result<int> read_batch(const Call& call, std::int64_t batch_dims, int r, int q, int axis) {
  const int most = std::min(r, q);
  const std::string text = "batch_dims is " + std::to_string(batch_dims);
  if (batch_dims < -most || batch_dims > most) {
    return call.invalid(
        "A4", text + ", must be in [" + std::to_string(-most) + ", " + std::to_string(most) + "]");
  }
  const auto batch = static_cast<int>(batch_dims < 0 ? batch_dims + q : batch_dims);
  if (batch > std::min(q, axis)) {
    return call.invalid(
        "A4", text + ", which means " + std::to_string(batch) + " batch axes, must be at most " +
                  std::to_string(std::min(q, axis)) + " for axis " + std::to_string(axis));
  }
  return batch;
}

}  // namespace

Result<Tensor> run(const openvino::Gather& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const bool strict_old = op.version < 8 && options.strict;
  const Call call("openvino", "Gather", op.version, Direction::kGather, options,
                  strict_old ? OutOfRange::kError : OutOfRange::kZero);
  if (op.version < 7 && op.batch_dims != 0) {
    return call.invalid(
        "A2", "batch_dims is " + std::to_string(op.batch_dims) + ", an attribute since 7");
  }
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const int r = data.shape.rank();
  const int q = indices.shape.rank();
  if (r < 1) return call.shape("C1", "data has rank 0, must have rank 1 or more");
  const auto axis = read_axis(call, inputs[2], r);
  if (!axis) return axis.error();
  const auto batch = read_batch(call, op.batch_dims, r, q, *axis);
  if (!batch) return batch.error();
  if (slice(data.shape, 0, *batch) != slice(indices.shape, 0, *batch)) {
    return call.shape("C2", "data of shape " + to_string(data.shape) + " and indices of shape " +
                                to_string(indices.shape) + " differ in the first " +
                                std::to_string(*batch) + " extents");
  }
  if (const int rank = q + r - 1 - *batch; rank > kMaxRank) {
    return call.shape("C3", "the result has rank " + std::to_string(rank) + ", must be at most " +
                                std::to_string(kMaxRank));
  }
  const IndexUse use = strict_old ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C4"};
  return gather_along_axis(call, use, data, indices, *axis, *batch);
}

}  // namespace windrow::internal::reference
