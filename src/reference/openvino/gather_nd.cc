#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "src/reference/batches.h"
#include "src/reference/openvino.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {
namespace {

// C2: GatherND-8 repeats batch extents of 1.
bool batches_fit(int version, int batch, const Shape& data, const Shape& indices) {
  return version < 8 ? slice(data, 0, batch) == slice(indices, 0, batch)
                     : batches_repeat(data, indices, batch);
}

// C1, A4, C2, C3, C4.
Status check(const Call& call, const openvino::GatherND& op, const Shape& data,
             const Shape& indices) {
  const int r = data.rank();
  const int q = indices.rank();
  const std::int64_t b = op.batch_dims;
  if (Status status = check_tuple_ranks(call, data, indices); !status.ok()) return status;
  if (b < 0 || b >= std::min(q, r)) {
    return call.invalid("A4", "batch_dims is " + std::to_string(b) + ", must be in [0, " +
                                  std::to_string(std::min(q, r) - 1) + "]");
  }
  const int batch = static_cast<int>(b);
  if (!batches_fit(op.version, batch, data, indices)) {
    return call.shape("C2", "data of shape " + to_string(data) + " and indices of shape " +
                                to_string(indices) + " do not fit together in the first " +
                                std::to_string(batch) + " extents");
  }
  if (indices.back() > r - batch) {
    return call.shape("C3", "indices have " + std::to_string(indices.back()) +
                                " coordinates in the last axis, must be at most " +
                                std::to_string(r - batch));
  }
  return check_result_rank(call, q - 1 + r - batch - static_cast<int>(indices.back()));
}

}  // namespace

Result<Tensor> run(const openvino::GatherND& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("openvino", "GatherND", op.version, Direction::kGather, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  if (Status status = check(call, op, data.shape, indices.shape); !status.ok()) return status;
  const int b = static_cast<int>(op.batch_dims);
  Shape result_shape = tuple_result_shape(data.shape, indices.shape, b);
  if (op.version < 8 && b > 1) {
    const Shape batches = slice(result_shape, 0, b);
    const auto joined = element_count(batches);
    if (!joined) return call.too_large("the result's batch axis", batches);
    result_shape = Shape{*joined} + tail(result_shape, b);
  }
  const bool strict_5 = op.version < 8 && call.strict();
  const IndexUse use = strict_5 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C5"};
  return gather_tuples(call, use, data, indices, b, result_shape);
}

}  // namespace windrow::internal::reference
