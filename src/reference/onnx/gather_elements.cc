#include <optional>
#include <span>
#include <string>

#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/onnx.h"

namespace windrow::internal::reference {

Result<Tensor> run(const onnx::GatherElements& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("onnx", "GatherElements", op.version, Direction::kGather, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const int r = data.shape.rank();
  if (r < 1 || indices.shape.rank() != r) {
    return call.shape("C1", "data has rank " + std::to_string(r) + " and indices have rank " +
                                std::to_string(indices.shape.rank()) +
                                ", must be equal and at least 1");
  }
  const auto axis = normal_axis(op.axis, r);
  if (!axis) return call.invalid("A1", axis_text(op.axis, "data", r));
  for (int d = 0; d < r; ++d) {
    if (d == *axis || indices.shape[d] <= data.shape[d]) continue;
    return call.shape("C2", "indices have shape " + to_string(indices.shape) + ", larger in axis " +
                                std::to_string(d) + " than data of shape " + to_string(data.shape));
  }
  if (Status status = call.check_result(data.dtype, indices.shape); !status.ok()) return status;

  const IndexRule rule = index_rule(call.policy(), Negatives::kCountFromEnd, data.shape, *axis);
  const Status status = check_indices(call, {"C3", "indices", "data"}, indices,
                                      [&](const Position&) -> const IndexRule& { return rule; });
  if (!status.ok()) return status;

  return gather(call, data, indices.shape, [&](const Position& i) -> std::optional<Position> {
    const auto c = coordinate(rule, read_index(indices, i));
    if (!c) return std::nullopt;
    Position from = i;
    from[*axis] = *c;
    return from;
  });
}

}  // namespace windrow::internal::reference
