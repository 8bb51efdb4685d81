#include "src/reference/openvino/axis_input.h"

#include <cstdint>

#include "src/reference/element.h"
#include "src/reference/indices.h"

namespace windrow::internal::reference {

Result<int> read_axis(const Call& call, const TensorView& axis) {
  if (axis.shape.rank() > 1 || element_count(axis.shape) != 1) {
    return call.invalid("A1", "axis has shape " + to_string(axis.shape) +
                                  ", must have rank 0, or rank 1 and one element");
  }
  const std::int64_t value = read_index(axis, Position::filled(axis.shape.rank(), 0));
  return check_axis(call, value, "data", call.data().shape.rank());
}

}  // namespace windrow::internal::reference
