#include <optional>
#include <span>
#include <string>

#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/onnx.h"

namespace windrow::internal::reference {

Result<Tensor> run(const onnx::Gather& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("onnx", "Gather", op.version, Direction::kGather, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const int r = data.shape.rank();
  const int q = indices.shape.rank();
  if (r < 1) return call.shape("C1", "data has rank 0, must have rank 1 or more");
  const auto axis = normal_axis(op.axis, r);
  if (!axis) return call.invalid("A1", axis_text(op.axis, "data", r));
  if (q + r - 1 > kMaxRank) {
    return call.shape("C2", "the result has rank " + std::to_string(q + r - 1) +
                                ", must be at most " + std::to_string(kMaxRank));
  }

  const Shape result_shape =
      slice(data.shape, 0, *axis) + indices.shape + tail(data.shape, *axis + 1);
  if (Status status = call.check_result(data.dtype, result_shape); !status.ok()) return status;

  const bool strict_1 = op.version == 1 && call.strict();
  const IndexRule rule = index_rule(
      call.policy(), strict_1 ? Negatives::kRefused : Negatives::kCountFromEnd, data.shape, *axis);
  const IndexNames names{strict_1 ? "S1" : "C3", "indices", "data"};
  const Status status = check_indices(call, names, indices,
                                      [&](const Position&) -> const IndexRule& { return rule; });
  if (!status.ok()) return status;

  return gather(call, data, result_shape, [&](const Position& p) -> std::optional<Position> {
    const Position i = slice(p, 0, *axis);
    const Position j = slice(p, *axis, *axis + q);
    const Position k = tail(p, *axis + q);
    const auto c = coordinate(rule, read_index(indices, j));
    if (!c) return std::nullopt;
    return i + Position{*c} + k;
  });
}

}  // namespace windrow::internal::reference
