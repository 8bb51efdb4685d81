#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "src/reference/along_axis.h"
#include "src/reference/batches.h"
#include "src/reference/indices.h"
#include "src/reference/per_element.h"
#include "src/reference/tensorrt.h"
#include "src/reference/tensorrt/release.h"
#include "src/reference/tensorrt/settings.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {
namespace {

constexpr IndexUse kUse = {"C5"};

constexpr std::array kTypes8 = {DType::kInt8, DType::kInt32, DType::kFloat16, DType::kFloat32,
                                DType::kBool};
constexpr std::array kTypes9 = {DType::kInt8, DType::kInt32, DType::kFloat16, DType::kFloat32,
                                DType::kBool, DType::kInt64, DType::kBFloat16};
constexpr std::array kTypes10 = {DType::kInt8,     DType::kInt32, DType::kFloat16,
                                 DType::kFloat32,  DType::kBool,  DType::kInt64,
                                 DType::kBFloat16, DType::kInt4,  DType::kFloat8E4M3FN};

// Rule A4: the number of leading axes that are walked together is in [0, most].
Result<int> check_batch(const Call& call, std::int64_t dims, int most) {
  if (dims >= 0 && dims <= most) return static_cast<int>(dims);
  return call.invalid("A4", "num_elementwise_dims is " + std::to_string(dims) +
                                ", must be in [0, " + std::to_string(most) + "]");
}

Status wrong_batch(const Call& call, const TensorView& data, const TensorView& indices, int batch) {
  return call.shape("C2", "data of shape " + to_string(data.shape) + " and indices of shape " +
                              to_string(indices.shape) + " do not fit together in the first " +
                              std::to_string(batch) + " extents");
}

Result<Tensor> gather_default(const Call& call, const tensorrt::Gather& op,
                              std::span<const TensorView> inputs) {
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const int r = data.shape.rank();
  const int q = indices.shape.rank();
  if (r < 1) return call.shape("C1", "data has rank 0, must have rank 1 or more");
  const auto axis = check_axis(call, op.axis, r);
  if (!axis) return axis.error();
  const auto batch = check_batch(call, op.num_elementwise_dims, std::min({1, *axis, q}));
  if (!batch) return batch.error();
  if (!batches_repeat(data.shape, indices.shape, *batch))
    return wrong_batch(call, data, indices, *batch);
  const int result_rank = q + r - 1 - *batch;
  Status status = check_result_rank(call, result_rank);
  if (status.ok()) status = check_release_ranks(call, inputs, result_rank);
  if (!status.ok()) return status;
  return gather_along_axis(call, kUse, data, indices, *axis, *batch);
}

Result<Tensor> gather_element(const Call& call, const tensorrt::Gather& op,
                              std::span<const TensorView> inputs) {
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  Status status = check_gather_ranks(call, data.shape, indices.shape);
  if (!status.ok()) return status;
  const auto axis = check_axis(call, op.axis, data.shape.rank());
  if (!axis) return axis.error();
  if (const auto batch = check_batch(call, op.num_elementwise_dims, 0); !batch)
    return batch.error();
  if (status = check_window(call, "C2", *axis, data.shape, indices.shape); !status.ok())
    return status;
  if (status = check_release_ranks(call, inputs, indices.shape.rank()); !status.ok()) return status;
  return gather_elements(call, kUse, data, indices, *axis);
}

Result<Tensor> gather_nd(const Call& call, const tensorrt::Gather& op,
                         std::span<const TensorView> inputs) {
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const int r = data.shape.rank();
  const int q = indices.shape.rank();
  Status status = check_tuple_ranks(call, data.shape, indices.shape);
  if (!status.ok()) return status;
  const auto batch = check_batch(call, op.num_elementwise_dims, std::min(q, r) - 1);
  if (!batch) return batch.error();
  if (slice(data.shape, 0, *batch) != slice(indices.shape, 0, *batch))
    return wrong_batch(call, data, indices, *batch);
  const std::int64_t length = indices.shape.back();
  if (length < 1 || length > r - *batch) {
    return call.shape("C3", "indices have " + std::to_string(length) +
                                " coordinates in the last axis, must be 1 to " +
                                std::to_string(r - *batch));
  }
  const int result_rank = q + r - static_cast<int>(length) - 1 - *batch;
  status = check_result_rank(call, result_rank);
  if (status.ok()) status = check_release_ranks(call, inputs, result_rank);
  if (!status.ok()) return status;
  return gather_tuples(call, kUse, data, indices, *batch,
                       tuple_result_shape(data.shape, indices.shape, *batch));
}

}  // namespace

Result<Tensor> run(const tensorrt::Gather& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("tensorrt", "Gather", op.version, Direction::kGather, options, OutOfRange::kZero);
  Status status = call.check_options_and_inputs(inputs);
  if (status.ok())
    status = check_release_types(call, op.version, {{8, kTypes8}, {9, kTypes9}, {10, kTypes10}},
                                 inputs[0], inputs[1]);
  if (status.ok()) status = check_mode(call, op.mode, {"DEFAULT", "ELEMENT", "ND"});
  if (!status.ok()) return status;
  if (op.mode == "ELEMENT") return gather_element(call, op, inputs);
  return op.mode == "ND" ? gather_nd(call, op, inputs) : gather_default(call, op, inputs);
}

}  // namespace windrow::internal::reference
