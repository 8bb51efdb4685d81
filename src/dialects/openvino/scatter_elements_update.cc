#include "src/dialects/openvino/axis_input.h"
#include "src/dialects/openvino/build.h"
#include "src/dialects/openvino/reduction.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {
namespace {

constexpr int kAxis = 3;

}  // namespace

Result<SymbolicShape> check(const Rules& rules, const openvino::ScatterElementsUpdate& op,
                            const KnownInputs& inputs, const CallOptions& /*options*/) {
  if (Status status = check_reduction(rules, op.reduction, kElementReductions, inputs[0].dtype);
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
  // The text of ScatterElementsUpdate-3 knows indices in [0, s-1] only.
  const bool refuses = options.strict && op.version < 12;
  const ScatterUse use = {
      openvino_combine(op.reduction),
      op.use_init_val,
      {policy_of(op, options), refuses ? Negatives::kRefused : Negatives::kCountFromEnd}};
  Operation operation =
      scatter_operation(rules,
                        element_map(inputs[0].shape, inputs[1].shape,
                                    axis_value(inputs[kAxis], inputs[0]), use.indices),
                        use, options);
  operation.fixed_inputs = {kAxis};
  return operation;
}

}  // namespace windrow::internal
