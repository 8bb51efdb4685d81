#include <algorithm>
#include <string>

#include "src/dialects/infer_rules.h"
#include "src/dialects/openvino/infer_axis.h"
#include "src/dialects/openvino/infer_shape.h"
#include "src/dialects/openvino/tuple_gather.h"

namespace windrow::internal {
namespace {

// A4 of Gather, as far as it is decided: the normal batch_dims.
Result<std::int64_t> infer_batch_dims(const Rules& rules, std::int64_t given,
                                      const InferredInput& data, const InferredInput& indices,
                                      std::optional<std::int64_t> axis) {
  const std::int64_t r = data.rank();
  const std::int64_t q = indices.rank();
  const std::int64_t most = std::min(r, q);
  const std::int64_t normal = resolve_axis(given, q);
  if (given >= -most && given <= most && normal >= 0 && normal <= axis.value_or(r - 1))
    return normal;
  return rules.broken(ErrorCode::kInvalidArgument, "A4",
                      "batch_dims is " + std::to_string(given) + ", data has rank " +
                          std::to_string(r) + ", indices have rank " + std::to_string(q) +
                          (axis ? " and axis is " + std::to_string(*axis) : ""));
}

Dim product(const SymbolicDims& dims, std::int64_t count) {
  Dim result{1, {}};
  for (std::int64_t d = 0; d < count; ++d) {
    const Dim& dim = dims[static_cast<std::size_t>(d)];
    if (!dim.is_known() || __builtin_mul_overflow(result.value, dim.value, &result.value))
      return {};
  }
  return result;
}

}  // namespace

Result<SymbolicShape> infer_shape(const openvino::Gather& op, std::span<const SymbolicShape> inputs,
                                  KnownValues values) {
  const Rules rules("openvino", "Gather", op.version);
  const InferredInput data("data", inputs[0]);
  const InferredInput indices("indices", inputs[1]);
  if (Status status = check_rank(rules, "C1", data, 1); !status) return status;
  const auto axis = infer_axis(rules, data, inputs, values, 2);
  if (!axis) return axis.error();
  if (!data.has_rank() || !indices.has_rank()) return SymbolicShape();
  const auto batch_dims = infer_batch_dims(rules, op.batch_dims, data, indices, *axis);
  if (!batch_dims) return batch_dims.error();
  if (Status status = check_batch_dims(rules, data, indices, *batch_dims, false); !status)
    return status;
  const std::int64_t rank = data.rank() + indices.rank() - 1 - *batch_dims;
  if (Status status = check_result_rank(rules, "C3", rank); !status) return status;
  SymbolicDims result;
  for (std::int64_t d = 0; d < *batch_dims; ++d) result.push_back(same_dim(data[d], indices[d]));
  if (!*axis) {  // the rank is known, what lies behind the batch axes is not
    result.resize(static_cast<std::size_t>(rank));
    return SymbolicShape(std::move(result));
  }
  for (std::int64_t d = *batch_dims; d < **axis; ++d) result.push_back(data[d]);
  for (std::int64_t d = *batch_dims; d < indices.rank(); ++d) result.push_back(indices[d]);
  for (std::int64_t d = **axis + 1; d < data.rank(); ++d) result.push_back(data[d]);
  return SymbolicShape(std::move(result));
}

Result<SymbolicShape> infer_shape(const openvino::GatherElements& op,
                                  std::span<const SymbolicShape> inputs, KnownValues /*values*/) {
  const Rules rules("openvino", "GatherElements", op.version);
  const InferredInput data("data", inputs[0]);
  const InferredInput indices("indices", inputs[1]);
  if (Status status = check_common_rank(rules, data, indices); !status) return status;
  for (const InferredInput* input : {&data, &indices}) {
    if (Status status = check_axis(rules, op.axis, *input); !status) return status;
  }
  if (!data.has_rank() || !indices.has_rank()) return inputs[1];
  const std::int64_t axis = resolve_axis(op.axis, data.rank());
  SymbolicDims result = *indices.dims;
  for (std::int64_t d = 0; d < data.rank(); ++d) {
    if (d == axis) continue;
    if (must_differ(indices[d], data[d]))
      return rules.broken(ErrorCode::kShape, "C2",
                          compare_dims(indices, data, d) + ": they must be equal");
    result[static_cast<std::size_t>(d)] = same_dim(indices[d], data[d]);
  }
  return SymbolicShape(std::move(result));
}

Result<SymbolicShape> infer_shape(const openvino::GatherND& op,
                                  std::span<const SymbolicShape> inputs, KnownValues /*values*/) {
  Result<SymbolicShape> result =
      infer_tuple_gather(Rules("openvino", "GatherND", op.version), tuple_gather(op),
                         InferredInput("data", inputs[0]), InferredInput("indices", inputs[1]));
  const bool joins = op.version < 8 && op.batch_dims > 1;
  if (!result || !*result || !joins) return result;
  SymbolicDims& dims = **result;
  SymbolicDims joined = {product(dims, op.batch_dims)};
  joined.insert(joined.end(), dims.begin() + op.batch_dims, dims.end());
  return SymbolicShape(std::move(joined));
}

}  // namespace windrow::internal
