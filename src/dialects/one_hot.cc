#include "src/dialects/one_hot.h"

#include <string>

#include "src/access/evaluate.h"

namespace windrow::internal {
namespace {

// C3. The value.
Result<std::int64_t> read_depth(const Rules& rules, const TensorSpec& depth,
                                bool may_have_an_axis) {
  if (depth.shape.rank() > (may_have_an_axis ? 1 : 0) || element_count(depth.shape) != 1)
    return rules.broken(ErrorCode::kShape, "C3",
                        "depth has shape " + to_string(depth.shape) + ", must have rank 0" +
                            (may_have_an_axis ? ", or rank 1 and one element" : ""));
  if (depth.value == nullptr || depth.value->dtype() != depth.dtype ||
      !(depth.value->shape() == depth.shape))
    return rules.broken(ErrorCode::kShape, "C3",
                        "the value of depth must be known when the plan is compiled");
  const std::int64_t value = read_index(depth.dtype, depth.value->data());
  if (value >= 0) return value;
  return rules.broken(ErrorCode::kShape, "C3",
                      "depth is " + std::to_string(value) + ", must not be negative");
}

}  // namespace

Result<Operation> build_one_hot(const Rules& rules, std::int64_t axis,
                                std::span<const TensorSpec> inputs, const OneHotInputs& places,
                                const IndexUse& use) {
  const Shape& indices = inputs[places.indices].shape;
  const Shape& values = inputs[places.values].shape;
  if (!(values == Shape{2}))
    return rules.broken(ErrorCode::kShape, "C1",
                        "values have shape " + to_string(values) + ", must have shape [2]");
  const int q = indices.rank();
  const auto normal = normal_axis(axis, q + 1);
  if (!normal)
    return rules.broken(ErrorCode::kInvalidArgument, "A1",
                        "axis is " + std::to_string(axis) + ", must be in [" +
                            std::to_string(-q - 1) + ", " + std::to_string(q) +
                            "] for indices of rank " + std::to_string(q));
  if (q + 1 > kMaxRank)
    return rules.broken(ErrorCode::kShape, "C2",
                        "the result has rank " + std::to_string(q + 1) + ", must be at most " +
                            std::to_string(kMaxRank));
  const auto depth = read_depth(rules, inputs[places.depth], places.depth_may_have_an_axis);
  if (!depth) return depth.error();
  Operation operation;
  operation.scatter = true;
  operation.data_input = operation.updates_input = static_cast<int>(places.values);
  operation.data_element = 0;
  operation.updates_element = 1;
  operation.map = one_hot_map(indices, *normal, *depth, use);
  operation.result_shape.append(indices, 0, *normal);
  operation.result_shape.push_back(*depth);
  operation.result_shape.append(indices, *normal, q);
  operation.fixed_inputs = {static_cast<int>(places.depth)};
  operation.index_constraint = rules.label("C4");
  operation.duplicate_constraint = rules.label("D1");
  return operation;
}

}  // namespace windrow::internal
