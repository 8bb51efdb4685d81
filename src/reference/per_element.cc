#include "src/reference/per_element.h"

#include <optional>
#include <string>

#include "src/reference/positions.h"

namespace windrow::internal::reference {
namespace {

// The position in data for one in indices.
Address element_address(const IndexRule& rule, const TensorView& indices) {
  return [rule, indices](const Position& i) -> std::optional<Position> {
    const auto c = coordinate(rule, indices, i);
    if (!c) return std::nullopt;
    Position p = i;
    p[rule.axis] = *c;
    return p;
  };
}

}  // namespace

Status check_gather_ranks(const Call& call) {
  const int r = call.data().shape.rank();
  const int q = call.indices().shape.rank();
  if (r >= 1 && q == r) return {};
  return call.shape("C1", "data has rank " + std::to_string(r) + " and indices have rank " +
                              std::to_string(q) + ", must be equal and at least 1");
}

Status check_equal_ranks(const Call& call) {
  const int r = call.data().shape.rank();
  const int q = call.indices().shape.rank();
  const int u = call.updates().shape.rank();
  if (r >= 1 && q == r && u == r) return {};
  return call.shape("C1", "data, indices and updates have ranks " + std::to_string(r) + ", " +
                              std::to_string(q) + " and " + std::to_string(u) +
                              ", must be equal and at least 1");
}

Status check_window(const Call& call, std::string_view rule, int axis) {
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  for (int d = 0; d < data.rank(); ++d) {
    if (d == axis || indices[d] <= data[d]) continue;
    return call.shape(rule, "indices have shape " + to_string(indices) + ", larger in axis " +
                                std::to_string(d) + " than data of shape " + to_string(data));
  }
  return {};
}

Status check_element_shapes(const Call& call, int axis) {
  const Shape& indices = call.indices().shape;
  const Shape& updates = call.updates().shape;
  if (updates != indices) {
    return call.shape("C2", "updates have shape " + to_string(updates) + ", must have that of " +
                                "indices, " + to_string(indices));
  }
  return check_window(call, "C3", axis);
}

Result<Tensor> gather_elements(const Call& call, const IndexUse& use, int axis) {
  const Shape& shape = call.indices().shape;
  if (Status status = call.check_result(call.data().dtype, shape); !status) return status;
  const auto rule = check_indices(call, use, axis);
  if (!rule) return rule.error();
  return gather(call, call.data(), shape, element_address(*rule, call.indices()));
}

Result<Tensor> scatter_elements(const Call& call, const IndexUse& use, int axis, const Fold& fold) {
  const auto rule = check_indices(call, use, axis);
  if (!rule) return rule.error();
  return scatter(call, call.data(), call.updates(), "updates", fold,
                 element_address(*rule, call.indices()));
}

}  // namespace windrow::internal::reference
