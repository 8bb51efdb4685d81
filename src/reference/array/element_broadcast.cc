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

Result<int> check_along_axis(const Call& call, std::int64_t axis, const Shape& data,
                             const Shape& indices) {
  if (Status status = check_gather_ranks(call, data, indices); !status.ok()) return status;
  const auto normal = normal_axis(axis, data.rank());
  if (!normal) return call.invalid("A1", axis_text(axis, "data", data.rank()));
  for (int d = 0; d < data.rank(); ++d) {
    if (d == *normal || data[d] == indices[d] || data[d] == 1 || indices[d] == 1) continue;
    return call.shape("C2", "data of shape " + to_string(data) + " and indices of shape " +
                                to_string(indices) + " do not broadcast in axis " +
                                std::to_string(d));
  }
  return *normal;
}

Shape addressed_shape(const Shape& data, const Shape& indices, int axis) {
  Shape shape = indices;
  for (int d = 0; d < data.rank(); ++d)
    if (d != axis && indices[d] == 1) shape[d] = data[d];
  return shape;
}

Address broadcast_address(const IndexRule& rule, const Shape& data, const TensorView& indices) {
  return [rule, data, indices](const Position& i) -> std::optional<Position> {
    const auto c = coordinate(rule, indices, repeated(indices.shape, i));
    if (!c) return std::nullopt;
    Position p = repeated(data, i);
    p[rule.axis] = *c;
    return p;
  };
}

}  // namespace windrow::internal::reference
