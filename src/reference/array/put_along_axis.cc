#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "src/reference/array.h"
#include "src/reference/array/element_broadcast.h"
#include "src/reference/array/indices.h"

namespace windrow::internal::reference {
namespace {

// C3: apart from leading ones, values has no more axes than `shape`, and each of its extents is 1
// or that of `shape`, seen from the end.
bool broadcasts(const Shape& values, const Shape& shape) {
  for (int back = 1; back <= values.rank(); ++back) {
    const std::int64_t extent = values[values.rank() - back];
    const bool beyond = back > shape.rank();
    if (extent != 1 && (beyond || extent != shape[shape.rank() - back])) return false;
  }
  return true;
}

// `values` with every repetition written out.
Result<Tensor> broadcast(const Call& call, const TensorView& values, const Shape& shape) {
  return gather(call, values, shape, [&](const Position& p) -> std::optional<Position> {
    Position place = Position::filled(values.shape.rank(), 0);
    for (int back = 1; back <= std::min(place.rank(), p.rank()); ++back) {
      const int axis = place.rank() - back;
      if (values.shape[axis] != 1) place[axis] = p[p.rank() - back];
    }
    return place;
  });
}

}  // namespace

Result<Tensor> run(const array::PutAlongAxis& op, Inputs inputs, const CallOptions& options) {
  const Call call("array", "PutAlongAxis", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  const TensorView& values = inputs[2];
  const auto axis = check_along_axis(call, op.axis);
  if (!axis) return axis.error();
  const Shape shape = addressed_shape(call, *axis);
  if (!broadcasts(values.shape, shape))
    return call.shape("C3", "values of shape " + to_string(values.shape) +
                                " do not broadcast to the addressed shape, " + to_string(shape));
  const auto rule = check_indices(call, array_indices(call, "C4"), *axis);
  if (!rule) return rule.error();
  const auto updates = broadcast(call, values, shape);
  if (!updates) return updates.error();
  return scatter(call, call.data(), updates->view(), "values", {}, broadcast_address(call, *rule));
}

}  // namespace windrow::internal::reference
