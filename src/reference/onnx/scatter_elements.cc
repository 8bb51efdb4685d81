#include <cstdint>
#include <span>

#include "src/reference/indices.h"
#include "src/reference/onnx.h"
#include "src/reference/onnx/reduction.h"
#include "src/reference/per_element.h"

namespace windrow::internal::reference {
namespace {

// C1, A1, C2, C3, the indices and the body, in the labels of Scatter as of ScatterElements.
Result<Tensor> scatter_checked(const Call& call, std::int64_t given_axis, Reduction reduction,
                               const IndexUse& use, std::span<const TensorView> inputs) {
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const TensorView& updates = inputs[2];
  const int r = data.shape.rank();
  Status status = check_equal_ranks(call, data.shape, indices.shape, updates.shape);
  if (!status.ok()) return status;
  const auto axis = normal_axis(given_axis, r);
  if (!axis) return call.invalid("A1", axis_text(given_axis, "data", r));
  status = check_element_shapes(call, *axis, data.shape, indices.shape, updates.shape);
  if (!status.ok()) return status;
  return scatter_elements(call, use, data, indices, updates, *axis, {reduction});
}

}  // namespace

Result<Tensor> run(const onnx::Scatter& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("onnx", "Scatter", op.version, Direction::kScatter, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const bool strict_9 = op.version == 9 && call.strict();
  const IndexUse use = strict_9 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C4"};
  return scatter_checked(call, op.axis, Reduction::kNone, use, inputs);
}

Result<Tensor> run(const onnx::ScatterElements& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("onnx", "ScatterElements", op.version, Direction::kScatter, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const auto reduction = parse_reduction(call, op.reduction, op.version, inputs[0].dtype);
  if (!reduction) return reduction.error();
  return scatter_checked(call, op.axis, *reduction, {"C4"}, inputs);
}

}  // namespace windrow::internal::reference
