#include <algorithm>
#include <utility>

#include "src/dialects/openvino/axis_input.h"
#include "src/dialects/openvino/build.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {
namespace {

constexpr int kAxis = 3;

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const openvino::ScatterUpdate& /*op*/,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  const KnownInput& data = inputs[0];
  const KnownInput& indices = inputs[1];
  if (Status status = check_has_axes(rules, "C1", data); !status) return status;
  const auto axis = check_axis_input(rules, inputs[kAxis], data);
  if (!axis) return axis.error();
  if (!data.has_rank() || !indices.has_rank()) return data.shape();
  SymbolicDims expected = slice_dims(data, indices, axis->value_or(0));
  // Without the axis only the rank is known.
  if (!*axis) std::fill(expected.begin(), expected.end(), Dim());
  if (Status status = check_shape(rules, "C2", inputs[2], expected); !status) return status;
  return data.shape();
}

Operation build(const Rules& rules, const openvino::ScatterUpdate& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const ScatterUse use = {Combine::kAssign, true, {policy_of(op, options), Negatives::kOutside}};
  AccessMap map = slice_map(inputs[0].shape, inputs[1].shape, axis_value(inputs[kAxis], inputs[0]),
                            0, use.indices);
  Operation operation = scatter_operation(rules, std::move(map), use, options, "C3");
  operation.fixed_inputs = {kAxis};
  return operation;
}

}  // namespace windrow::internal
