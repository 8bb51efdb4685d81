#include "src/dialects/openvino/axis_input.h"
#include "src/dialects/openvino/build.h"
#include "src/dialects/openvino/schema.h"
#include "src/dialects/scatter.h"

namespace windrow::internal {

Result<Operation> build(const openvino::ScatterUpdate& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  constexpr int kAxis = 3;
  const Rules rules("openvino", "ScatterUpdate", op.version);
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  if (data.rank() < 1)
    return rules.broken(ErrorCode::kShape, "C1", "data has rank 0, must have rank 1 or more");
  const Result<int> axis = read_axis_input(rules, inputs[kAxis], data.rank());
  if (!axis) return axis.error();
  const ScatterUse use = {Combine::kAssign, true, {policy_of(op, options), Negatives::kOutside}};
  const int rank = data.rank() + indices.rank() - 1;
  Shape expected;
  const bool fits = expected.append(data, 0, *axis) &&
                    expected.append(indices, 0, indices.rank()) &&
                    expected.append(data, *axis + 1, data.rank());
  if (!fits || !(inputs[2].shape == expected))
    return rules.broken(ErrorCode::kShape, "C2",
                        "updates have shape " + to_string(inputs[2].shape) +
                            (fits ? ", must have shape " + to_string(expected)
                                  : ", must have rank " + std::to_string(rank)));
  Operation operation = scatter_operation(
      rules, inputs, slice_map(data, indices, *axis, 0, use.indices), use, options, "C3");
  operation.fixed_inputs = {kAxis};
  return operation;
}

}  // namespace windrow::internal
