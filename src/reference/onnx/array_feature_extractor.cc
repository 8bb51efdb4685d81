#include <optional>

#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/onnx.h"

namespace windrow::internal::reference {

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
