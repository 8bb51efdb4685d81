#include "src/reference/tensorrt/operators.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {

Status check_mode(const Call& call, std::string_view mode,
                  std::initializer_list<std::string_view> modes) {
  if (std::find(modes.begin(), modes.end(), mode) != modes.end()) return {};
  std::string names;
  for (const std::string_view name : modes)
    names += (names.empty() ? "" : ", ") + std::string(name);
  return call.invalid("A3", "mode is '" + std::string(mode) + "', must be one of: " + names);
}

Result<int> check_layer_axis(const Call& call, std::int64_t axis) {
  const int rank = call.data().shape.rank();
  if (axis >= 0 && axis < rank) return static_cast<int>(axis);
  return call.invalid("A1", "axis is " + std::to_string(axis) + ", must be in [0, " +
                                std::to_string(rank - 1) + "] for data of rank " +
                                std::to_string(rank));
}

namespace {

constexpr int kMaxReleaseRank = 8;

constexpr std::array kIndexTypes8 = {DType::kInt32};
constexpr std::array kIndexTypes9 = {DType::kInt32, DType::kInt64};

Status wrong_rank(const Call& call, const std::string& tensor, int rank) {
  return call.shape("S1", tensor + " has rank " + std::to_string(rank) + ", must be at most " +
                              std::to_string(kMaxReleaseRank));
}

}  // namespace

Status check_release_type(const Call& call, std::string_view name, const TensorView& input,
                          std::initializer_list<ReleaseTypes> lists) {
  if (!call.strict()) return {};
  std::span<const DType> types;
  for (const ReleaseTypes& list : lists)
    if (list.since <= call.version()) types = list.types;
  if (std::find(types.begin(), types.end(), input.dtype) != types.end()) return {};
  return call.error(ErrorCode::kType, "S2",
                    std::string(name) + " of type " + std::string(dtype_name(input.dtype)) +
                        ", which release " + std::to_string(call.version()) + " does not take");
}

Status check_release_types(const Call& call, std::initializer_list<ReleaseTypes> lists,
                           const TensorView& indices) {
  if (Status status = check_release_type(call, "data", call.data(), lists); !status) return status;
  return check_release_type(call, "indices", indices, {{8, kIndexTypes8}, {9, kIndexTypes9}});
}

IndexUse release_index_use(const Call& call) {
  return call.strict() ? IndexUse{"S3", Negatives::kRefused, OutOfRange::kError} : IndexUse{"C4"};
}

Status check_release_ranks(const Call& call, int result_rank) {
  if (!call.strict()) return {};
  for (std::size_t i = 0; i < call.inputs().size(); ++i) {
    const int rank = call.inputs()[i].shape.rank();
    if (rank > kMaxReleaseRank) return wrong_rank(call, "input " + std::to_string(i), rank);
  }
  if (result_rank > kMaxReleaseRank) return wrong_rank(call, "the result", result_rank);
  return {};
}

namespace {

constexpr IndexUse kUse = {"C5"};

constexpr std::array kGatherTypes8 = {DType::kInt8, DType::kInt32, DType::kFloat16, DType::kFloat32,
                                      DType::kBool};
constexpr std::array kGatherTypes9 = {DType::kInt8, DType::kInt32, DType::kFloat16, DType::kFloat32,
                                      DType::kBool, DType::kInt64, DType::kBFloat16};
constexpr std::array kGatherTypes10 = {DType::kInt8,     DType::kInt32, DType::kFloat16,
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
    status = check_release_types(
        call, {{8, kGatherTypes8}, {9, kGatherTypes9}, {10, kGatherTypes10}}, inputs[1]);
  if (status) status = check_mode(call, op.mode, {"DEFAULT", "ELEMENT", "ND"});
  if (!status) return status;
  if (op.mode == "ELEMENT") return gather_element(call, op);
  return op.mode == "ND" ? gather_nd(call, op) : gather_default(call, op);
}

namespace {

constexpr std::array kScatterTypes8 = {DType::kInt8, DType::kInt32, DType::kFloat16,
                                       DType::kFloat32};
constexpr std::array kScatterTypes9 = {DType::kInt8,    DType::kInt32, DType::kFloat16,
                                       DType::kFloat32, DType::kInt64, DType::kBFloat16};
constexpr std::array kScatterTypes11 = {DType::kInt32,   DType::kInt64,   DType::kBool,
                                        DType::kFloat16, DType::kFloat32, DType::kBFloat16};

Result<Tensor> scatter_element(const Call& call, const tensorrt::Scatter& op) {
  if (Status status = check_equal_ranks(call); !status) return status;
  const auto axis = check_layer_axis(call, op.axis);
  if (!axis) return axis.error();
  Status status = check_element_shapes(call, *axis);
  if (status) status = check_release_ranks(call, call.data().shape.rank());
  if (!status) return status;
  return scatter_elements(call, release_index_use(call), *axis, {});
}

Result<Tensor> scatter_nd(const Call& call) {
  if (Status status = check_tuple_scatter(call, 1); !status) return status;
  if (call.updates().shape != tuple_updates_shape(call)) return wrong_tuple_updates(call);
  if (Status status = check_release_ranks(call, call.data().shape.rank()); !status) return status;
  return scatter_tuples(call, release_index_use(call), call.updates(), {});
}

}  // namespace

Result<Tensor> run(const tensorrt::Scatter& op, Inputs inputs, const CallOptions& options) {
  const Call call("tensorrt", "Scatter", op.version, Direction::kScatter, inputs, options,
                  OutOfRange::kSkip);
  Status status = call.check();
  if (status)
    status = check_release_types(
        call, {{8, kScatterTypes8}, {9, kScatterTypes9}, {11, kScatterTypes11}}, inputs[1]);
  if (status) status = check_mode(call, op.mode, {"ELEMENT", "ND"});
  if (!status) return status;
  return op.mode == "ND" ? scatter_nd(call) : scatter_element(call, op);
}

namespace {

constexpr std::array kOneHotTypes8 = {DType::kFloat32, DType::kFloat16, DType::kInt8, DType::kInt32,
                                      DType::kBool};
constexpr std::array kOneHotTypes9 = {DType::kFloat32, DType::kFloat16, DType::kInt8,
                                      DType::kInt32,   DType::kBool,    DType::kInt64,
                                      DType::kBFloat16};
constexpr std::array kIndexTypes = {DType::kInt32};

// S2.
Status check_types(const Call& call, const OneHotInputs& inputs) {
  Status status =
      check_release_type(call, "values", inputs.values, {{8, kOneHotTypes8}, {9, kOneHotTypes9}});
  if (!status) return status;
  return check_release_type(call, "indices", inputs.indices, {{8, kIndexTypes}});
}

}  // namespace

Result<Tensor> run(const tensorrt::OneHot& op, Inputs inputs, const CallOptions& options) {
  const Call call("tensorrt", "OneHot", op.version, Direction::kScatter, inputs, options,
                  OutOfRange::kSkip);
  const OneHotInputs named = {.indices = inputs[0], .values = inputs[1], .depth = inputs[2]};
  Status status = call.check();
  if (status) status = check_types(call, named);
  if (!status) return status;
  const auto form = check_one_hot(call, op.axis, named, 0);
  if (!form) return form.error();
  if (status = check_release_ranks(call, form->shape.rank()); !status) return status;
  return one_hot(call, release_index_use(call), named, *form);
}

namespace {

constexpr int kRank = 4;
constexpr int kSequence = 2;  // the axis that is written along

constexpr std::array kTypes = {DType::kFloat32, DType::kFloat16, DType::kBFloat16};

// C1, C2, C3.
Status check_shapes(const Call& call) {
  const int cache = call.inputs()[0].shape.rank();
  const int update = call.inputs()[1].shape.rank();
  if (cache != kRank || update != kRank) {
    return call.shape("C1", "cache has rank " + std::to_string(cache) + " and update has rank " +
                                std::to_string(update) + ", must both be 4");
  }
  if (Status status = check_off_axis(call, "C2", "cache", kSequence); !status) return status;
  return check_write_indices(call, "C3", call.inputs()[2].shape);
}

}  // namespace

Result<Tensor> run(const tensorrt::KVCacheUpdate& op, Inputs inputs, const CallOptions& options) {
  const Call call("tensorrt", "KVCacheUpdate", op.version, Direction::kScatter, inputs, options,
                  OutOfRange::kSkip);
  const TensorView& write_indices = inputs[2];
  Status status = call.check();
  if (status) status = check_release_types(call, {{10, kTypes}}, write_indices);
  if (status) status = check_mode(call, op.mode, {"LINEAR"});
  if (status) status = check_shapes(call);
  if (!status) return status;
  return write_cache(call, {"C4", "write_indices", "cache"}, CacheMode::kLinear, kSequence,
                     write_indices);
}

}  // namespace windrow::internal::reference
