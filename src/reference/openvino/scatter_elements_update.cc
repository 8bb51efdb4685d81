#include "src/reference/openvino.h"
#include "src/reference/openvino/axis_input.h"
#include "src/reference/openvino/reduction.h"
#include "src/reference/per_element.h"

namespace windrow::internal::reference {

Result<Tensor> run(const openvino::ScatterElementsUpdate& op, Inputs inputs,
                   const CallOptions& options) {
  const Call call("openvino", "ScatterElementsUpdate", op.version, Direction::kScatter, inputs,
                  options);
  if (op.version < 12 && op.reduction != "none")
    return call.invalid("A2", "reduction is '" + op.reduction + "', an attribute since 12");
  if (op.version < 12 && !op.use_init_val)
    return call.invalid("A2", "use_init_val is false, an attribute since 12");
  if (Status status = call.check(); !status) return status;
  const auto reduction =
      parse_reduction(call, op.reduction, kElementReductions, &openvino_has_reduction);
  if (!reduction) return reduction.error();
  if (Status status = check_equal_ranks(call); !status) return status;
  const auto axis = read_axis(call, inputs[3]);
  if (!axis) return axis.error();
  if (Status status = check_element_shapes(call, *axis); !status) return status;
  const bool strict_3 = op.version < 12 && call.strict();
  const IndexUse use = strict_3 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C4"};
  return scatter_elements(call, use, *axis, {*reduction, op.use_init_val});
}

}  // namespace windrow::internal::reference
