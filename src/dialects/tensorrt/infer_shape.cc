#include "src/dialects/tensorrt/infer_shape.h"

#include <algorithm>
#include <optional>
#include <string>

#include "src/dialects/infer_scatter.h"
#include "src/dialects/tensorrt/settings.h"
#include "src/dialects/tensorrt/tuple_gather.h"

namespace windrow::internal {
namespace {

// A1, as far as the rank of data is known.
Status check_axis_of(const Rules& rules, std::int64_t axis, const InferredInput& data) {
  if (!data.has_rank()) return {};
  return check_layer_axis(rules, axis, static_cast<int>(data.rank()));
}

Result<SymbolicShape> infer_slices(const Rules& rules, const tensorrt::Gather& op,
                                   const InferredInput& data, const InferredInput& indices) {
  if (Status status = check_rank(rules, "C1", data, 1); !status) return status;
  if (Status status = check_axis_of(rules, op.axis, data); !status) return status;
  const std::int64_t nb = op.num_elementwise_dims;
  const std::int64_t most = std::min<std::int64_t>(1, op.axis);
  if (nb < 0 || nb > most || (indices.has_rank() && nb > indices.rank()))
    return rules.broken(ErrorCode::kInvalidArgument, "A4",
                        "num_elementwise_dims is " + std::to_string(nb) + ", must be in [0, " +
                            std::to_string(most) + "] and at most the rank of indices");
  if (!data.has_rank() || !indices.has_rank()) return SymbolicShape();
  SymbolicDims result;
  if (nb == 1) {
    if (must_differ(data[0], indices[0]) && data[0].value != 1 && indices[0].value != 1)
      return rules.broken(ErrorCode::kShape, "C2",
                          compare_dims(indices, data, 0) + ": the leading extents do not fit");
    result.push_back(broadcast_dim(data[0], indices[0]));
  }
  const std::int64_t rank = data.rank() + indices.rank() - 1 - nb;
  if (Status status = check_result_rank(rules, "C4", rank); !status) return status;
  for (std::int64_t d = nb; d < op.axis; ++d) result.push_back(data[d]);
  for (std::int64_t d = nb; d < indices.rank(); ++d) result.push_back(indices[d]);
  for (std::int64_t d = op.axis + 1; d < data.rank(); ++d) result.push_back(data[d]);
  return SymbolicShape(std::move(result));
}

Result<SymbolicShape> infer_elements(const Rules& rules, const tensorrt::Gather& op,
                                     const InferredInput& data, const InferredInput& indices,
                                     const SymbolicShape& result) {
  if (Status status = check_common_rank(rules, data, indices); !status) return status;
  if (Status status = check_axis_of(rules, op.axis, data); !status) return status;
  if (op.num_elementwise_dims != 0)
    return rules.broken(ErrorCode::kInvalidArgument, "A4",
                        "num_elementwise_dims is " + std::to_string(op.num_elementwise_dims) +
                            ", must be 0 in mode ELEMENT");
  if (!data.has_rank() || !indices.has_rank()) return result;
  if (Status status = check_not_longer(rules, data, indices, op.axis); !status) return status;
  return result;
}

}  // namespace

Result<SymbolicShape> infer_shape(const tensorrt::Gather& op,
                                  std::span<const SymbolicShape> inputs) {
  const Rules rules("tensorrt", "Gather", op.version);
  if (Status status = check_mode(rules, op.mode, {"DEFAULT", "ELEMENT", "ND"}); !status)
    return status;
  const InferredInput data("data", inputs[0]);
  const InferredInput indices("indices", inputs[1]);
  if (op.mode == "ND") return infer_tuple_gather(rules, tuple_gather(op), data, indices);
  if (op.mode == "ELEMENT") return infer_elements(rules, op, data, indices, inputs[1]);
  return infer_slices(rules, op, data, indices);
}

Result<SymbolicShape> infer_shape(const tensorrt::Scatter& op,
                                  std::span<const SymbolicShape> inputs) {
  const Rules rules("tensorrt", "Scatter", op.version);
  if (Status status = check_mode(rules, op.mode, {"ELEMENT", "ND"}); !status) return status;
  if (op.mode == "ND") {
    const InferredInput indices("indices", inputs[1]);
    if (indices.has_rank() && indices.rank() > 0 && indices[indices.rank() - 1].value == 0)
      return rules.broken(ErrorCode::kShape, "C2", "index tuples have length 0");
    if (Status status = check_tuple_dims(rules, inputs, false); !status) return status;
    return inputs[0];
  }
  if (Status status = check_element_ranks(rules, inputs); !status) return status;
  const InferredInput data("data", inputs[0]);
  if (Status status = check_axis_of(rules, op.axis, data); !status) return status;
  if (Status status = check_element_dims(rules, inputs, op.axis); !status) return status;
  return inputs[0];
}

Result<SymbolicShape> infer_shape(const tensorrt::KVCacheUpdate& op,
                                  std::span<const SymbolicShape> inputs) {
  const Rules rules("tensorrt", "KVCacheUpdate", op.version);
  if (Status status = check_mode(rules, op.mode, {"LINEAR"}); !status) return status;
  const InferredInput cache("cache", inputs[0]);
  const InferredInput update("update", inputs[1]);
  const InferredInput write("write_indices", inputs[2]);
  for (const InferredInput* input : {&cache, &update}) {
    if (input->has_rank() && input->rank() != 4)
      return rules.broken(
          ErrorCode::kShape, "C1",
          std::string(input->name) + " has rank " + std::to_string(input->rank()) + ", must be 4");
  }
  for (const std::int64_t d : {0, 1, 3}) {
    if (cache.has_rank() && update.has_rank() && must_differ(update[d], cache[d]))
      return rules.broken(ErrorCode::kShape, "C2",
                          compare_dims(update, cache, d) + ": they must be equal");
  }
  const bool fits = !write.has_rank() ||
                    (write.rank() == 1 && !(cache.has_rank() && must_differ(write[0], cache[0])));
  if (!fits)
    return rules.broken(ErrorCode::kShape, "C3",
                        "write_indices must have one axis, as long as the first one of cache");
  return inputs[0];
}

}  // namespace windrow::internal
