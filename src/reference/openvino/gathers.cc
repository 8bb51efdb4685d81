#include "src/reference/openvino/gathers.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {

Result<int> read_axis(const Call& call, const TensorView& axis) {
  if (axis.shape.rank() > 1 || element_count(axis.shape) != 1) {
    return call.invalid("A1", "axis has shape " + to_string(axis.shape) +
                                  ", must have rank 0, or rank 1 and one element");
  }
  const std::int64_t value = read_index(axis, Position::filled(axis.shape.rank(), 0));
  return check_axis(call, value, "data", call.data().shape.rank());
}

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

Result<Tensor> run(const openvino::GatherElements& op, Inputs inputs, const CallOptions& options) {
  const Call call("openvino", "GatherElements", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  if (Status status = check_gather_ranks(call); !status) return status;
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  const auto axis = check_axis(call, op.axis, "data", data.rank());
  if (!axis) return axis.error();
  for (int d = 0; d < data.rank(); ++d) {
    if (d == *axis || indices[d] == data[d]) continue;
    return call.shape("C2", "indices have shape " + to_string(indices) +
                                ", must differ from data of shape " + to_string(data) +
                                " in axis " + std::to_string(*axis) + " alone");
  }
  return gather_elements(call, {"C3"}, *axis);
}

Result<Tensor> run(const openvino::GatherND& op, Inputs inputs, const CallOptions& options) {
  const Call call("openvino", "GatherND", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  const TupleGather gather = {.batch_count = {"A4"},
                              .batches = op.version < 8 ? Batches::kEqual : Batches::kRepeated,
                              .shortest = 0};
  auto result_shape = check_tuple_gather(call, gather, op.batch_dims);
  if (!result_shape) return result_shape.error();
  const int b = static_cast<int>(op.batch_dims);
  if (op.version < 8 && b > 1) {
    const Shape batches = slice(*result_shape, 0, b);
    const auto joined = element_count(batches);
    if (!joined) return call.too_large("the result's batch axis", batches);
    result_shape = Shape{*joined} + tail(*result_shape, b);
  }
  const bool strict_5 = op.version < 8 && call.strict();
  const IndexUse use = strict_5 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C5"};
  return gather_tuples(call, use, b, *result_shape);
}

}  // namespace windrow::internal::reference
