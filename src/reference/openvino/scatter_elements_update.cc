#include <array>
#include <span>
#include <string>

#include "src/reference/indices.h"
#include "src/reference/openvino.h"
#include "src/reference/openvino/axis_input.h"
#include "src/reference/openvino/reduction.h"
#include "src/reference/per_element.h"

namespace windrow::internal::reference {
namespace {

constexpr std::array kReductions = {Reduction::kNone, Reduction::kAdd, Reduction::kMul,
                                    Reduction::kMin,  Reduction::kMax, Reduction::kMean};

}  // namespace

Result<Tensor> run(const openvino::ScatterElementsUpdate& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("openvino", "ScatterElementsUpdate", op.version, Direction::kScatter, options);
  if (op.version < 12 && op.reduction != "none")
    return call.invalid("A2", "reduction is '" + op.reduction + "', an attribute since 12");
  if (op.version < 12 && !op.use_init_val)
    return call.invalid("A2", "use_init_val is false, an attribute since 12");
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const TensorView& updates = inputs[2];
  const auto reduction = parse_reduction(call, op.reduction, data.dtype, kReductions);
  if (!reduction) return reduction.error();
  Status status = check_equal_ranks(call, data.shape, indices.shape, updates.shape);
  if (!status.ok()) return status;
  const auto axis = read_axis(call, inputs[3], data.shape.rank());
  if (!axis) return axis.error();
  status = check_element_shapes(call, *axis, data.shape, indices.shape, updates.shape);
  if (!status.ok()) return status;
  const bool strict_3 = op.version < 12 && call.strict();
  const IndexUse use = strict_3 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C4"};
  return scatter_elements(call, use, data, indices, updates, *axis, {*reduction, op.use_init_val});
}

}  // namespace windrow::internal::reference
