#include <cstdint>
#include <optional>
#include <string>

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {

Result<Tensor> run(const onnx::Gather& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "Gather", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  const bool strict_1 = op.version == 1 && call.strict();
  return gather_slices(call, strict_1 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C3"},
                       op.axis);
}

Result<Tensor> run(const onnx::GatherElements& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "GatherElements", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  if (Status status = check_gather_ranks(call); !status) return status;
  const auto axis = check_axis(call, op.axis, "data", call.data().shape.rank());
  if (!axis) return axis.error();
  if (Status status = check_window(call, "C2", *axis); !status) return status;
  return gather_elements(call, {"C3"}, *axis);
}

Result<Tensor> run(const onnx::GatherND& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "GatherND", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  const std::int64_t b = op.batch_dims;
  if (op.version < 12 && b != 0)
    return call.invalid("A2", "batch_dims is " + std::to_string(b) + ", an attribute since 12");
  const auto result_shape = check_tuple_gather(call, {.batch_count = {"A1"}}, b);
  if (!result_shape) return result_shape.error();
  return gather_tuples(call, {"C5"}, static_cast<int>(b), *result_shape);
}

Result<Tensor> run(const onnx::OneHot& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "OneHot", op.version, Direction::kScatter, inputs, options,
                  OutOfRange::kSkip);
  if (Status status = call.check(); !status) return status;
  const OneHotInputs named = {.indices = inputs[0], .values = inputs[2], .depth = inputs[1]};
  const auto form = check_one_hot(call, op.axis, named, 1);
  if (!form) return form.error();
  const Negatives negatives = op.version < 11 ? Negatives::kOutside : Negatives::kCountFromEnd;
  return one_hot(call, {"C4", negatives}, named, *form);
}

Result<Tensor> run(const onnx::ArrayFeatureExtractor& op, Inputs inputs,
                   const CallOptions& options) {
  const Call call("onnx", "ArrayFeatureExtractor", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  const TensorView& x = inputs[0];
  const TensorView& y = inputs[1];
  const int r = x.shape.rank();
  if (r < 1) return call.shape("C1", "X has rank 0, must have rank 1 or more");
  std::int64_t wide_axes = 0;
  for (const std::int64_t extent : y.shape) wide_axes += extent != 1 ? 1 : 0;
  for (const std::int64_t extent : slice(x.shape, 0, r - 1)) wide_axes += extent != 1 ? 1 : 0;
  if (wide_axes > kMaxRank)
    return call.shape("C1", "X and Y together have more than 32 axes of an extent other than 1");
  const Shape rows = r == 1 ? Shape{1} : slice(x.shape, 0, r - 1);
  const Shape result_shape = rows + Shape{*element_count(y.shape)};
  if (Status status = call.check_result(x.dtype, result_shape); !status) return status;

  const IndexRule rule = index_rule(call.policy(), Negatives::kOutside, x.shape, r - 1);
  if (Status status = check_indices(call, {"C2", "Y", "X"}, y, rule); !status) return status;

  return gather(call, x, result_shape, [&](const Position& p) -> std::optional<Position> {
    const auto c = coordinate(rule, y, position_of(y.shape, p.back()));
    if (!c) return std::nullopt;
    return (r == 1 ? Position() : slice(p, 0, r - 1)) + Position{*c};
  });
}

}  // namespace windrow::internal::reference
