#include <algorithm>
#include <string>

#include "src/dialects/gather_checks.h"
#include "src/dialects/maps.h"
#include "src/dialects/tensorrt/build.h"
#include "src/dialects/tensorrt/release.h"
#include "src/dialects/tensorrt/schema.h"
#include "src/dialects/tensorrt/settings.h"
#include "src/dialects/tensorrt/tuple_gather.h"

namespace windrow::internal {
namespace {

// One call, its checks mode by mode: C1, A1, A4, C2, C3, C4.
struct GatherCall {
  const Rules& rules;
  const tensorrt::Gather& op;
  std::span<const TensorSpec> inputs;
  const CallOptions& options;

  const Shape& data() const { return inputs[0].shape; }
  const Shape& indices() const { return inputs[1].shape; }
  IndexUse use() const { return {policy_of(op, options), Negatives::kCountFromEnd}; }

  Status elementwise_error(std::int64_t most) const {
    return rules.broken(ErrorCode::kInvalidArgument, "A4",
                        "num_elementwise_dims is " + std::to_string(op.num_elementwise_dims) +
                            ", must be in [0, " + std::to_string(most) + "] in mode " + op.mode +
                            " for data of rank " + std::to_string(data().rank()) +
                            " and indices of rank " + std::to_string(indices().rank()));
  }

  Result<AccessMap> slices() const {
    const int r = data().rank();
    const int q = indices().rank();
    if (r < 1)
      return rules.broken(ErrorCode::kShape, "C1", "data has rank 0, must have rank 1 or more");
    const std::int64_t nb = op.num_elementwise_dims;
    if (Status status = check_layer_axis(rules, op.axis, r); !status) return status;
    const std::int64_t most = std::min<std::int64_t>({1, op.axis, q});
    if (nb < 0 || nb > most) return elementwise_error(most);
    if (nb == 1 && data()[0] != indices()[0] && data()[0] != 1 && indices()[0] != 1)
      return rules.broken(ErrorCode::kShape, "C2",
                          "data has shape " + to_string(data()) + " and indices have shape " +
                              to_string(indices()) + ": the leading extents differ and none is 1");
    const std::int64_t rank = r + q - 1 - nb;
    if (rank > kMaxRank)
      return rules.broken(ErrorCode::kShape, "C4",
                          "the result has rank " + std::to_string(rank) + ", must be at most " +
                              std::to_string(kMaxRank));
    return slice_map(data(), indices(), static_cast<int>(op.axis), static_cast<int>(nb), use());
  }

  Result<AccessMap> elements() const {
    if (Status status = check_common_rank(rules, data(), indices()); !status) return status;
    const int r = data().rank();
    if (Status status = check_layer_axis(rules, op.axis, r); !status) return status;
    if (op.num_elementwise_dims != 0) return elementwise_error(0);
    if (Status status = check_not_longer(rules, "C2", data(), indices(), static_cast<int>(op.axis));
        !status)
      return status;
    return element_map(data(), indices(), static_cast<int>(op.axis), use());
  }

  Result<AccessMap> tuples() const {
    if (Status status = check_tuple_gather(rules, tuple_gather(op), data(), indices()); !status)
      return status;
    return tuple_map(data(), indices(), static_cast<int>(op.num_elementwise_dims), use());
  }
};

}  // namespace

Result<Operation> build(const tensorrt::Gather& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("tensorrt", "Gather", op.version);
  if (Status status = check_release_types(rules, Layer::kGather, op.version, inputs[0].dtype,
                                          inputs[1].dtype, options);
      !status)
    return status;
  if (Status status = check_mode(rules, op.mode, {"DEFAULT", "ELEMENT", "ND"}); !status)
    return status;
  const GatherCall call{rules, op, inputs, options};
  Result<AccessMap> map = op.mode == "ND"        ? call.tuples()
                          : op.mode == "ELEMENT" ? call.elements()
                                                 : call.slices();
  if (!map) return map.error();
  if (Status status = check_release_rank(rules, inputs, map->loops.rank(), options); !status)
    return status;
  Operation operation;
  operation.map = *std::move(map);
  operation.result_shape = operation.map.loops;
  operation.index_constraint = rules.label("C5");
  return operation;
}

}  // namespace windrow::internal
