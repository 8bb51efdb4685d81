#include "src/dialects/openvino/axis_input.h"
#include "src/dialects/openvino/build.h"
#include "src/dialects/openvino/reduction.h"
#include "src/dialects/openvino/schema.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {

Result<Operation> build(const openvino::ScatterElementsUpdate& op,
                        std::span<const TensorSpec> inputs, const CallOptions& options) {
  constexpr int kAxis = 3;
  const Rules rules("openvino", "ScatterElementsUpdate", op.version);
  const auto combine = parse_reduction(rules, op.reduction, kElementReductions, inputs[0].dtype);
  if (!combine) return combine.error();
  if (Status status = check_element_ranks(rules, inputs); !status) return status;
  const Shape& data = inputs[0].shape;
  const Result<int> axis = read_axis_input(rules, inputs[kAxis], data.rank());
  if (!axis) return axis.error();
  if (Status status = check_element_shapes(rules, inputs, *axis); !status) return status;
  // The text of ScatterElementsUpdate-3 knows indices in [0, s-1] only.
  const bool refuses = options.strict && op.version < 12;
  const ScatterUse use = {
      *combine,
      op.use_init_val,
      {policy_of(op, options), refuses ? Negatives::kRefused : Negatives::kCountFromEnd}};
  Operation operation = scatter_operation(
      rules, inputs, element_map(data, inputs[1].shape, *axis, use.indices), use, options);
  operation.fixed_inputs = {kAxis};
  return operation;
}

}  // namespace windrow::internal
