#include <utility>

#include "src/dialects/array/along_axis.h"
#include "src/dialects/array/build.h"
#include "src/dialects/array/indices.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {
namespace {

// Whether what is known of `values` lets it broadcast to `addressed`.
bool may_broadcast(const KnownInput& values, const SymbolicDims& addressed) {
  const std::int64_t shift = static_cast<std::int64_t>(addressed.size()) - values.rank();
  for (std::int64_t d = 0; d < values.rank(); ++d) {
    if (!values[d].is_known() || values[d].value == 1) continue;
    if (d + shift < 0 || must_differ(values[d], addressed[static_cast<std::size_t>(d + shift)]))
      return false;
  }
  return true;
}

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const array::PutAlongAxis& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  const KnownInput& values = inputs[2];
  const auto addressed = check_along_axis(rules, op.axis, inputs[0], inputs[1]);
  if (!addressed) return addressed.error();
  if (*addressed && values.has_rank() && !may_broadcast(values, **addressed))
    return rules.shape("C3", describe_shape(values) + ", must broadcast to " +
                                 to_string(**addressed) + ", the shape that data, " +
                                 to_string(*inputs[0].dims) + ", and indices, " +
                                 to_string(*inputs[1].dims) + ", address");
  return inputs[0].shape();
}

Operation build(const Rules& rules, const array::PutAlongAxis& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const Shape& data = inputs[0].shape;
  const ScatterUse use = {Combine::kAssign, true, array_indices(policy_of(op, options))};
  AccessMap map =
      broadcast_element_map(data, inputs[1].shape, normal_axis(op.axis, data.rank()), use.indices);
  const bool broadcast = !(inputs[2].shape == map.loops);
  Operation operation = scatter_operation(rules, std::move(map), use, options);
  operation.updates_broadcast = broadcast;
  return operation;
}

}  // namespace windrow::internal
