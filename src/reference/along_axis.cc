#include "src/reference/along_axis.h"

#include <optional>

#include "src/reference/batches.h"
#include "src/reference/positions.h"

namespace windrow::internal::reference {

Result<Tensor> gather_along_axis(const Call& call, const IndexUse& use, const TensorView& data,
                                 const TensorView& indices, int axis, int batch) {
  const int q = indices.shape.rank();
  const Shape result_shape = batch_shape(data.shape, indices.shape, batch) +
                             slice(data.shape, batch, axis) + slice(indices.shape, batch, q) +
                             tail(data.shape, axis + 1);
  if (Status status = call.check_result(data.dtype, result_shape); !status.ok()) return status;
  const IndexRule rule = index_rule(call, use, data.shape, axis);
  if (Status status = check_indices(call, use.rule, indices, rule); !status.ok()) return status;
  const int own = q - batch;  // the axes of indices that are no batch axes
  return gather(call, data, result_shape, [&](const Position& p) -> std::optional<Position> {
    const Position place = batch_position(indices.shape, p, batch) + slice(p, axis, axis + own);
    const auto c = coordinate(rule, indices, place);
    if (!c) return std::nullopt;
    return batch_position(data.shape, p, batch) + slice(p, batch, axis) + Position{*c} +
           tail(p, axis + own);
  });
}

Result<Tensor> scatter_along_axis(const Call& call, const IndexUse& use, const TensorView& data,
                                  const TensorView& indices, const TensorView& updates, int axis,
                                  const Fold& fold) {
  const int q = indices.shape.rank();
  const IndexRule rule = index_rule(call, use, data.shape, axis);
  if (Status status = check_indices(call, use.rule, indices, rule); !status.ok()) return status;
  const Address address = [&](const Position& p) -> std::optional<Position> {
    const auto c = coordinate(rule, indices, slice(p, axis, axis + q));
    if (!c) return std::nullopt;
    return slice(p, 0, axis) + Position{*c} + tail(p, axis + q);
  };
  return scatter(call, data, updates, "updates", fold, address);
}

}  // namespace windrow::internal::reference
