#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/onnx.h"
#include "src/reference/onnx/reduction.h"

namespace windrow::internal::reference {
namespace {

// C1, A1, C2, C3, in the labels of Scatter as of ScatterElements.
Status check(const Call& call, std::int64_t axis, const Shape& data, const Shape& indices,
             const Shape& updates) {
  const int r = data.rank();
  if (r < 1 || indices.rank() != r || updates.rank() != r) {
    return call.shape("C1", "data, indices and updates have ranks " + std::to_string(r) + ", " +
                                std::to_string(indices.rank()) + " and " +
                                std::to_string(updates.rank()) + ", must be equal and at least 1");
  }
  const auto normal = normal_axis(axis, r);
  if (!normal) return call.invalid("A1", axis_text(axis, "data", r));
  if (updates != indices) {
    return call.shape("C2", "updates have shape " + to_string(updates) + ", must have that of " +
                                "indices, " + to_string(indices));
  }
  for (int d = 0; d < r; ++d) {
    if (d == *normal || indices[d] <= data[d]) continue;
    return call.shape("C3", "indices have shape " + to_string(indices) + ", larger in axis " +
                                std::to_string(d) + " than data of shape " + to_string(data));
  }
  return {};
}

Result<Tensor> scatter_elements(const Call& call, std::int64_t given_axis, Reduction reduction,
                                Negatives negatives, std::span<const TensorView> inputs) {
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const TensorView& updates = inputs[2];
  Status status = check(call, given_axis, data.shape, indices.shape, updates.shape);
  if (!status.ok()) return status;
  const int axis = *normal_axis(given_axis, data.shape.rank());

  const IndexRule rule = index_rule(call.policy(), negatives, data.shape, axis);
  const IndexNames names{negatives == Negatives::kRefused ? "S1" : "C4", "indices", "data"};
  status = check_indices(call, names, indices,
                         [&](const Position&) -> const IndexRule& { return rule; });
  if (!status.ok()) return status;

  const Address address = [&](const Position& i) -> std::optional<Position> {
    const auto c = coordinate(rule, read_index(indices, i));
    if (!c) return std::nullopt;
    Position p = i;
    p[axis] = *c;
    return p;
  };
  return scatter(call, data, updates, "updates", reduction, address);
}

}  // namespace

Result<Tensor> run(const onnx::Scatter& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("onnx", "Scatter", op.version, Direction::kScatter, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const bool strict_9 = op.version == 9 && call.strict();
  return scatter_elements(call, op.axis, Reduction::kNone,
                          strict_9 ? Negatives::kRefused : Negatives::kCountFromEnd, inputs);
}

Result<Tensor> run(const onnx::ScatterElements& op, std::span<const TensorView> inputs,
                   const CallOptions& options) {
  const Call call("onnx", "ScatterElements", op.version, Direction::kScatter, options);
  if (Status status = call.check_options_and_inputs(inputs); !status.ok()) return status;
  const auto reduction = parse_reduction(call, op.reduction, op.version, inputs[0].dtype);
  if (!reduction) return reduction.error();
  return scatter_elements(call, op.axis, *reduction, Negatives::kCountFromEnd, inputs);
}

}  // namespace windrow::internal::reference
