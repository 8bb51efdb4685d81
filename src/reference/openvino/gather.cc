#include <algorithm>
#include <cstdint>
#include <string>

#include "src/reference/along_axis.h"
#include "src/reference/batches.h"
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

Result<Tensor> run(const openvino::Gather& op, Inputs inputs, const CallOptions& options) {
  const bool strict_old = op.version < 8 && options.strict;
  const Call call("openvino", "Gather", op.version, Direction::kGather, inputs, options,
                  strict_old ? OutOfRange::kError : OutOfRange::kZero);
  if (op.version < 7 && op.batch_dims != 0) {
    return call.invalid(
        "A2", "batch_dims is " + std::to_string(op.batch_dims) + ", an attribute since 7");
  }
  if (Status status = call.check(); !status) return status;
  const int r = call.data().shape.rank();
  const int q = call.indices().shape.rank();
  if (Status status = check_has_axes(call); !status) return status;
  const auto axis = read_axis(call, inputs[2]);
  if (!axis) return axis.error();
  const auto batch = read_batch(call, op.batch_dims, r, q, *axis);
  if (!batch) return batch.error();
  Status status = check_batches(call, Batches::kEqual, *batch);
  if (status) status = call.check_result_rank("C3", q + r - 1 - *batch);
  if (!status) return status;
  const IndexUse use = strict_old ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C4"};
  return gather_along_axis(call, use, *axis, *batch);
}

}  // namespace windrow::internal::reference
