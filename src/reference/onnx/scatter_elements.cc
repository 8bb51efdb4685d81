#include <cstdint>

#include "src/reference/indices.h"
#include "src/reference/onnx.h"
#include "src/reference/onnx/reduction.h"
#include "src/reference/per_element.h"

namespace windrow::internal::reference {
namespace {

// C1, A1, C2, C3, the indices and the body, in the labels of Scatter as of ScatterElements.
Result<Tensor> scatter_checked(const Call& call, std::int64_t given_axis, Reduction reduction,
                               const IndexUse& use) {
  if (Status status = check_equal_ranks(call); !status) return status;
  const auto axis = check_axis(call, given_axis, "data", call.data().shape.rank());
  if (!axis) return axis.error();
  if (Status status = check_element_shapes(call, *axis); !status) return status;
  return scatter_elements(call, use, *axis, {reduction});
}

}  // namespace

Result<Tensor> run(const onnx::Scatter& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "Scatter", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  const bool strict_9 = op.version == 9 && call.strict();
  const IndexUse use = strict_9 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C4"};
  return scatter_checked(call, op.axis, Reduction::kNone, use);
}

Result<Tensor> run(const onnx::ScatterElements& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "ScatterElements", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  const auto reduction = parse_onnx_reduction(call, op.reduction, op.version);
  if (!reduction) return reduction.error();
  return scatter_checked(call, op.axis, *reduction, {"C4"});
}

}  // namespace windrow::internal::reference
