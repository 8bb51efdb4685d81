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

Status check_gather_ranks(const Call& call, const Shape& data, const Shape& indices) {
  if (data.rank() >= 1 && indices.rank() == data.rank()) return {};
  return call.shape("C1", "data has rank " + std::to_string(data.rank()) +
                              " and indices have rank " + std::to_string(indices.rank()) +
                              ", must be equal and at least 1");
}

Status check_equal_ranks(const Call& call, const Shape& data, const Shape& indices,
                         const Shape& updates) {
  const int r = data.rank();
  if (r >= 1 && indices.rank() == r && updates.rank() == r) return {};
  return call.shape("C1", "data, indices and updates have ranks " + std::to_string(r) + ", " +
                              std::to_string(indices.rank()) + " and " +
                              std::to_string(updates.rank()) + ", must be equal and at least 1");
}

Status check_window(const Call& call, std::string_view rule, int axis, const Shape& data,
                    const Shape& indices) {
  for (int d = 0; d < data.rank(); ++d) {
    if (d == axis || indices[d] <= data[d]) continue;
    return call.shape(rule, "indices have shape " + to_string(indices) + ", larger in axis " +
                                std::to_string(d) + " than data of shape " + to_string(data));
  }
  return {};
}

Status check_element_shapes(const Call& call, int axis, const Shape& data, const Shape& indices,
                            const Shape& updates) {
  if (updates != indices) {
    return call.shape("C2", "updates have shape " + to_string(updates) + ", must have that of " +
                                "indices, " + to_string(indices));
  }
  return check_window(call, "C3", axis, data, indices);
}

Result<Tensor> gather_elements(const Call& call, const IndexUse& use, const TensorView& data,
                               const TensorView& indices, int axis) {
  if (Status status = call.check_result(data.dtype, indices.shape); !status.ok()) return status;
  const IndexRule rule = index_rule(call, use, data.shape, axis);
  if (Status status = check_indices(call, use.rule, indices, rule); !status.ok()) return status;
  return gather(call, data, indices.shape, element_address(rule, indices));
}

Result<Tensor> scatter_elements(const Call& call, const IndexUse& use, const TensorView& data,
                                const TensorView& indices, const TensorView& updates, int axis,
                                const Fold& fold) {
  const IndexRule rule = index_rule(call, use, data.shape, axis);
  if (Status status = check_indices(call, use.rule, indices, rule); !status.ok()) return status;
  return scatter(call, data, updates, "updates", fold, element_address(rule, indices));
}

}  // namespace windrow::internal::reference
