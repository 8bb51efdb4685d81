#include "src/reference/one_hot.h"

#include <optional>
#include <string>

#include "src/reference/element.h"
#include "src/reference/loops.h"
#include "src/reference/positions.h"

namespace windrow::internal::reference {
namespace {

// C3: the number that depth holds.
Result<std::int64_t> read_depth(const Call& call, const TensorView& depth, int highest_rank) {
  const int rank = depth.shape.rank();
  if (rank > highest_rank || element_count(depth.shape) != 1) {
    return call.shape("C3", "depth has shape " + to_string(depth.shape) + ", must have rank 0" +
                                (highest_rank > 0 ? ", or rank 1 and one element" : ""));
  }
  const std::int64_t value = read_index(depth, Position::filled(rank, 0));
  if (value < 0)
    return call.shape("C3", "depth is " + std::to_string(value) + ", must not be negative");
  return value;
}

}  // namespace

Result<OneHotForm> check_one_hot(const Call& call, std::int64_t axis, const OneHotInputs& inputs,
                                 int depth_rank) {
  const Shape& indices = inputs.indices.shape;
  if (inputs.values.shape != Shape{2})
    return call.shape(
        "C1", "values have shape " + to_string(inputs.values.shape) + ", must have shape [2]");
  const int rank = indices.rank() + 1;
  const auto normal = check_axis(call, axis, "a result", rank);
  if (!normal) return normal.error();
  if (Status status = call.check_result_rank("C2", rank); !status) return status;
  const auto depth = read_depth(call, inputs.depth, depth_rank);
  if (!depth) return depth.error();
  return OneHotForm{slice(indices, 0, *normal) + Shape{*depth} + tail(indices, *normal), *normal};
}

Result<Tensor> one_hot(const Call& call, const IndexUse& use, const OneHotInputs& inputs,
                       const OneHotForm& form) {
  const TensorView& indices = inputs.indices;
  if (Status status = call.check_result(inputs.values.dtype, form.shape); !status) return status;
  const IndexRule rule = index_rule(call, use, form.shape, form.axis);
  const Status status = check_indices(call, {use.rule, "indices", "output"}, indices, rule);
  if (!status) return status;
  return gather(call, inputs.values, form.shape, [&](const Position& p) -> std::optional<Position> {
    const Position place = slice(p, 0, form.axis) + tail(p, form.axis + 1);
    const bool on = coordinate(rule, indices, place) == p[form.axis];
    return Position{on ? 1 : 0};
  });
}

}  // namespace windrow::internal::reference
