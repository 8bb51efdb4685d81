#include "src/reference/array/element_broadcast.h"

#include <optional>
#include <string>

#include "src/reference/per_element.h"

namespace windrow::internal::reference {
namespace {

// The position to read in a tensor of `shape`.
Position repeated(const Shape& shape, const Position& p) {
  Position place = p;
  for (int d = 0; d < shape.rank(); ++d)
    if (shape[d] == 1) place[d] = 0;
  return place;
}

}  // namespace

Result<int> check_along_axis(const Call& call, std::int64_t axis) {
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  if (Status status = check_gather_ranks(call); !status) return status;
  const auto normal = check_axis(call, axis, "data", data.rank());
  if (!normal) return normal;
  for (int d = 0; d < data.rank(); ++d) {
    if (d == *normal || data[d] == indices[d] || data[d] == 1 || indices[d] == 1) continue;
    return call.shape("C2", "data of shape " + to_string(data) + " and indices of shape " +
                                to_string(indices) + " do not broadcast in axis " +
                                std::to_string(d));
  }
  return normal;
}

Shape addressed_shape(const Call& call, int axis) {
  const Shape& indices = call.indices().shape;
  Shape shape = indices;
  for (int d = 0; d < indices.rank(); ++d)
    if (d != axis && indices[d] == 1) shape[d] = call.data().shape[d];
  return shape;
}

Address broadcast_address(const Call& call, const IndexRule& rule) {
  return [rule, data = call.data().shape,
          indices = call.indices()](const Position& i) -> std::optional<Position> {
    const auto c = coordinate(rule, indices, repeated(indices.shape, i));
    if (!c) return std::nullopt;
    Position p = repeated(data, i);
    p[rule.axis] = *c;
    return p;
  };
}

}  // namespace windrow::internal::reference
