#include <utility>

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

}  // namespace windrow::internal
