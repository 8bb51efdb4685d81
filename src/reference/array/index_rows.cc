#include "src/reference/array/index_rows.h"

#include "src/reference/along_axis.h"
#include "src/reference/array/indices.h"

namespace windrow::internal::reference {

Result<Tensor> fold_rows(const Call& call, std::int64_t axis, const Fold& fold) {
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  const Shape& updates = call.updates().shape;
  const auto normal = check_slice_axis(call, axis);
  if (!normal) return normal.error();
  if (indices.rank() != 1)
    return call.shape("C2", "indices have shape " + to_string(indices) + ", must have rank 1");
  const Shape expected = slice(data, 0, *normal) + indices + tail(data, *normal + 1);
  if (updates != expected)
    return call.shape(
        "C3", "updates have shape " + to_string(updates) + ", must have " + to_string(expected));
  return scatter_along_axis(call, array_indices(call, "C4"), *normal, fold);
}

}  // namespace windrow::internal::reference
