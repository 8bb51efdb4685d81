#include "src/reference/array/index_rows.h"

#include <string>

#include "src/reference/along_axis.h"
#include "src/reference/array/indices.h"

namespace windrow::internal::reference {

Result<Tensor> fold_rows(const Call& call, std::int64_t axis, std::span<const TensorView> inputs,
                         const Fold& fold) {
  const TensorView& data = inputs[0];
  const TensorView& indices = inputs[1];
  const TensorView& updates = inputs[2];
  const int r = data.shape.rank();
  if (r < 1) return call.shape("C1", "data has rank 0, must have rank 1 or more");
  const auto normal = normal_axis(axis, r);
  if (!normal) return call.invalid("A1", axis_text(axis, "data", r));
  if (indices.shape.rank() != 1)
    return call.shape("C2",
                      "indices have shape " + to_string(indices.shape) + ", must have rank 1");
  const Shape expected =
      slice(data.shape, 0, *normal) + indices.shape + tail(data.shape, *normal + 1);
  if (updates.shape != expected)
    return call.shape("C3", "updates have shape " + to_string(updates.shape) + ", must have " +
                                to_string(expected));
  return scatter_along_axis(call, array_indices(call, "C4"), data, indices, updates, *normal, fold);
}

}  // namespace windrow::internal::reference
