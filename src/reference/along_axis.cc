#include "src/reference/along_axis.h"

#include <optional>

#include "src/reference/batches.h"
#include "src/reference/positions.h"

namespace windrow::internal::reference {

Status check_has_axes(const Call& call) {
  if (call.data().shape.rank() >= 1) return {};
  return call.shape("C1", "data has rank 0, must have rank 1 or more");
}

Result<int> check_slice_axis(const Call& call, std::int64_t axis) {
  if (Status status = check_has_axes(call); !status) return status;
  return check_axis(call, axis, "data", call.data().shape.rank());
}

Result<Tensor> gather_slices(const Call& call, const IndexUse& use, std::int64_t axis) {
  const auto normal = check_slice_axis(call, axis);
  if (!normal) return normal.error();
  const int rank = call.indices().shape.rank() + call.data().shape.rank() - 1;
  if (Status status = call.check_result_rank("C2", rank); !status) return status;
  return gather_along_axis(call, use, *normal, 0);
}

Result<Tensor> gather_along_axis(const Call& call, const IndexUse& use, int axis, int batch) {
  const TensorView& data = call.data();
  const TensorView& indices = call.indices();
  const int q = indices.shape.rank();
  const Shape result_shape = batch_shape(data.shape, indices.shape, batch) +
                             slice(data.shape, batch, axis) + slice(indices.shape, batch, q) +
                             tail(data.shape, axis + 1);
  if (Status status = call.check_result(data.dtype, result_shape); !status) return status;
  const auto rule = check_indices(call, use, axis);
  if (!rule) return rule.error();
  const int own = q - batch;  // the axes of indices that are not batch axes
  return gather(call, data, result_shape, [&](const Position& p) -> std::optional<Position> {
    const Position place = batch_position(indices.shape, p, batch) + slice(p, axis, axis + own);
    const auto c = coordinate(*rule, indices, place);
    if (!c) return std::nullopt;
    return batch_position(data.shape, p, batch) + slice(p, batch, axis) + Position{*c} +
           tail(p, axis + own);
  });
}

Result<Tensor> scatter_along_axis(const Call& call, const IndexUse& use, int axis,
                                  const Fold& fold) {
  const int q = call.indices().shape.rank();
  const auto rule = check_indices(call, use, axis);
  if (!rule) return rule.error();
  return scatter(call, call.data(), call.updates(), "updates", fold,
                 [&](const Position& p) -> std::optional<Position> {
                   const auto c = coordinate(*rule, call.indices(), slice(p, axis, axis + q));
                   if (!c) return std::nullopt;
                   return slice(p, 0, axis) + Position{*c} + tail(p, axis + q);
                 });
}

}  // namespace windrow::internal::reference
