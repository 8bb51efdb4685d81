#include <algorithm>
#include <array>
#include <cstdint>

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

// Rule A4.
constexpr BatchCount kBatchCount = {"A4", "num_elementwise_dims"};

Result<Tensor> gather_default(const Call& call, const tensorrt::Gather& op) {
  const int r = call.data().shape.rank();
  const int q = call.indices().shape.rank();
  if (Status status = check_has_axes(call); !status) return status;
  const auto axis = check_layer_axis(call, op.axis);
  if (!axis) return axis.error();
  const int most = std::min({1, *axis, q});
  const auto batch = check_batch_count(call, kBatchCount, op.num_elementwise_dims, most);
  if (!batch) return batch.error();
  const int result_rank = q + r - 1 - *batch;
  Status status = check_batches(call, Batches::kRepeated, *batch);
  if (status) status = call.check_result_rank("C4", result_rank);
  if (status) status = check_release_ranks(call, result_rank);
  if (!status) return status;
  return gather_along_axis(call, kUse, *axis, *batch);
}

Result<Tensor> gather_element(const Call& call, const tensorrt::Gather& op) {
  if (Status status = check_gather_ranks(call); !status) return status;
  const auto axis = check_layer_axis(call, op.axis);
  if (!axis) return axis.error();
  const auto batch = check_batch_count(call, kBatchCount, op.num_elementwise_dims, 0);
  if (!batch) return batch.error();
  Status status = check_window(call, "C2", *axis);
  if (status) status = check_release_ranks(call, call.indices().shape.rank());
  if (!status) return status;
  return gather_elements(call, kUse, *axis);
}

Result<Tensor> gather_nd(const Call& call, const tensorrt::Gather& op) {
  const auto shape =
      check_tuple_gather(call, {.batch_count = kBatchCount}, op.num_elementwise_dims);
  if (!shape) return shape.error();
  if (Status status = check_release_ranks(call, shape->rank()); !status) return status;
  return gather_tuples(call, kUse, static_cast<int>(op.num_elementwise_dims), *shape);
}

}  // namespace

Result<Tensor> run(const tensorrt::Gather& op, Inputs inputs, const CallOptions& options) {
  const Call call("tensorrt", "Gather", op.version, Direction::kGather, inputs, options,
                  OutOfRange::kZero);
  Status status = call.check();
  if (status)
    status = check_release_types(call, {{8, kTypes8}, {9, kTypes9}, {10, kTypes10}}, inputs[1]);
  if (status) status = check_mode(call, op.mode, {"DEFAULT", "ELEMENT", "ND"});
  if (!status) return status;
  if (op.mode == "ELEMENT") return gather_element(call, op);
  return op.mode == "ND" ? gather_nd(call, op) : gather_default(call, op);
}

}  // namespace windrow::internal::reference
