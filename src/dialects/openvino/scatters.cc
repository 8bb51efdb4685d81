#include <algorithm>
#include <utility>

#include "src/dialects/openvino/schema.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {

namespace {

constexpr int kAxis = 3;

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const openvino::ScatterElementsUpdate& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_reduction(rules, op.reduction, kElementReductions, inputs[0].dtype,
                                      &openvino_has_meaning);
      !status)
    return status;
  if (Status status = check_element_ranks(rules, inputs); !status) return status;
  const auto axis = check_axis_input(rules, inputs[kAxis], inputs[0]);
  if (!axis) return axis.error();
  if (Status status = check_element_shapes(rules, inputs, *axis); !status) return status;
  return inputs[0].shape();
}

Operation build(const Rules& rules, const openvino::ScatterElementsUpdate& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const ScatterUse use = {find_combine(kElementReductions, op.reduction), op.use_init_val,
                          index_use(op, options, 12)};
  AccessMap map = element_map(inputs[0].shape, inputs[1].shape,
                              axis_value(inputs[kAxis], inputs[0]), use.indices);
  Operation operation = scatter_operation(rules, std::move(map), use, options);
  operation.fixed_inputs = {kAxis};
  return operation;
}

Result<SymbolicShape> check(const Rules& rules, const openvino::ScatterNDUpdate& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_reduction(rules, op.reduction, kTupleReductions, inputs[0].dtype,
                                      &openvino_has_meaning);
      !status)
    return status;
  if (Status status = check_tuple_shapes(rules, inputs, {.takes_single = true}); !status)
    return status;
  return inputs[0].shape();
}

Operation build(const Rules& rules, const openvino::ScatterNDUpdate& op,
                std::span<const TensorSpec> inputs, const CallOptions& options) {
  const ScatterUse use = {find_combine(kTupleReductions, op.reduction), true,
                          index_use(op, options, 15)};
  return scatter_operation(rules, tuple_map(inputs[0].shape, inputs[1].shape, 0, use.indices), use,
                           options);
}

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
