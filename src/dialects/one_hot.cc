#include "src/dialects/one_hot.h"

#include <string>
#include <utility>

namespace windrow::internal {
namespace {

// A1: the axis of the result that indices lack.
Status check_new_axis(const Rules& rules, std::int64_t axis, const KnownInput& indices) {
  const std::int64_t q = indices.rank();
  if (axis >= -q - 1 && axis <= q) return {};
  return rules.invalid("A1", "axis is " + std::to_string(axis) + ", must be in [" +
                                 std::to_string(-q - 1) + ", " + std::to_string(q) + "] for " +
                                 with_rank(indices));
}

}  // namespace

Result<SymbolicShape> check_one_hot(const Rules& rules, std::int64_t axis,
                                    const KnownInputs& inputs, const OneHotInputs& places) {
  const KnownInput& indices = inputs[places.indices];
  if (Status status = check_shape(rules, "C1", inputs[places.values], {Dim{2, {}}}); !status)
    return status;
  if (indices.has_rank()) {
    if (Status status = check_new_axis(rules, axis, indices); !status) return status;
    if (Status status = check_result_rank(rules, "C2", indices.rank() + 1); !status) return status;
  }
  const auto depth = check_single(rules, ErrorCode::kShape, "C3", inputs[places.depth],
                                  places.depth_may_have_an_axis);
  if (!depth) return depth.error();
  if (depth->value_or(0) < 0)
    return rules.shape("C3", "depth is " + std::to_string(**depth) + ", must not be negative");
  if (!indices.has_rank()) return SymbolicShape();
  SymbolicDims result = *indices.dims;
  result.insert(result.begin() + normal_axis(axis, static_cast<int>(indices.rank()) + 1),
                Dim{depth->value_or(-1), {}});
  return SymbolicShape(std::move(result));
}

Operation build_one_hot(const Rules& rules, std::int64_t axis, std::span<const TensorSpec> inputs,
                        const OneHotInputs& places, const IndexUse& use) {
  const Shape& indices = inputs[places.indices].shape;
  Operation operation;
  operation.scatter = true;
  operation.data_input = operation.updates_input = static_cast<int>(places.values);
  operation.data_element = 0;
  operation.updates_element = 1;
  operation.map = one_hot_map(indices, normal_axis(axis, indices.rank() + 1),
                              fixed_value(inputs[places.depth]), use);
  operation.fixed_inputs = {static_cast<int>(places.depth)};
  operation.index_constraint = rules.label("C4");
  operation.duplicate_constraint = rules.label("D1");
  return operation;
}

}  // namespace windrow::internal
