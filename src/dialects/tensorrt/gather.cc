#include <algorithm>
#include <string>

#include "src/dialects/gather_rules.h"
#include "src/dialects/maps.h"
#include "src/dialects/tensorrt/build.h"
#include "src/dialects/tensorrt/release.h"
#include "src/dialects/tensorrt/settings.h"
#include "src/dialects/tuple_gather.h"

namespace windrow::internal {
namespace {

// A4: the number of elementwise dimensions is in [0, most].
Status check_elementwise(const Rules& rules, const tensorrt::Gather& op, std::int64_t most,
                         const KnownInput& data, const KnownInput& indices) {
  const std::int64_t nb = op.num_elementwise_dims;
  if (nb >= 0 && nb <= most) return {};
  return rules.invalid("A4", "num_elementwise_dims is " + std::to_string(nb) + ", must be in [0, " +
                                 std::to_string(most) + "] in mode " + op.mode + " for " +
                                 with_rank(data) + " and " + with_rank(indices));
}

// Mode DEFAULT: C1, A1, A4, C2, C4.
Result<SymbolicShape> check_slices(const Rules& rules, const tensorrt::Gather& op,
                                   const KnownInput& data, const KnownInput& indices) {
  if (Status status = check_has_axes(rules, "C1", data); !status) return status;
  if (Status status = check_layer_axis(rules, op.axis, data); !status) return status;
  const std::int64_t nb = op.num_elementwise_dims;
  const std::int64_t most =
      std::min<std::int64_t>({1, op.axis, indices.has_rank() ? indices.rank() : 1});
  if (Status status = check_elementwise(rules, op, most, data, indices); !status) return status;
  if (!data.has_rank() || !indices.has_rank()) return SymbolicShape();
  if (Status status = check_batch_axes(rules, data, indices, nb, true); !status) return status;
  const std::int64_t rank = data.rank() + indices.rank() - 1 - nb;
  if (Status status = check_result_rank(rules, "C4", rank); !status) return status;
  return SymbolicShape(slice_dims(data, indices, op.axis, nb, &broadcast_dim));
}

// Mode ELEMENT: C1, A1, A4, C2.
Result<SymbolicShape> check_elements(const Rules& rules, const tensorrt::Gather& op,
                                     const KnownInput& data, const KnownInput& indices) {
  if (Status status = check_common_rank(rules, data, indices); !status) return status;
  const KnownInput& ranked = data.has_rank() ? data : indices;
  if (Status status = check_layer_axis(rules, op.axis, ranked); !status) return status;
  if (Status status = check_elementwise(rules, op, 0, data, indices); !status) return status;
  if (Status status = check_not_longer(rules, "C2", data, indices, op.axis); !status) return status;
  return indices.shape();
}

// C1 to C4, A1 and A4, mode by mode.
Result<SymbolicShape> check_in_mode(const Rules& rules, const tensorrt::Gather& op,
                                    const KnownInput& data, const KnownInput& indices) {
  const TupleGather tuples = {op.num_elementwise_dims, "A4", "num_elementwise_dims", false, 1};
  if (op.mode == "ND") return check_tuple_gather(rules, tuples, data, indices);
  if (op.mode == "ELEMENT") return check_elements(rules, op, data, indices);
  return check_slices(rules, op, data, indices);
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const tensorrt::Gather& op,
                            const KnownInputs& inputs, const CallOptions& options) {
  if (Status status = check_release_types(rules, Layer::kGather, op.version, inputs[0].dtype,
                                          inputs[1].dtype, options);
      !status)
    return status;
  if (Status status = check_mode(rules, op.mode, {"DEFAULT", "ELEMENT", "ND"}); !status)
    return status;
  Result<SymbolicShape> result = check_in_mode(rules, op, inputs[0], inputs[1]);
  if (!result) return result;
  if (Status status = check_release_rank(rules, inputs, *result, options); !status) return status;
  return result;
}

Operation build(const Rules& rules, const tensorrt::Gather& op, std::span<const TensorSpec> inputs,
                const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  const auto axis = static_cast<int>(op.axis);
  const auto nb = static_cast<int>(op.num_elementwise_dims);
  const IndexUse use = index_use(op, options);
  return gather_operation(rules,
                          op.mode == "ND"        ? tuple_map(data, indices, nb, use)
                          : op.mode == "ELEMENT" ? element_map(data, indices, axis, use)
                                                 : slice_map(data, indices, axis, nb, use),
                          use, "C5");
}

}  // namespace windrow::internal
