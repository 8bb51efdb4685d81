#include "src/dialects/onnx/build.h"
#include "src/dialects/onnx/rules.h"

namespace windrow::internal {
namespace {

// C1, C2, C3.
Status check(const Rules& rules, std::span<const TensorSpec> inputs) {
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  const int r = data.rank();
  const int q = indices.rank();
  if (r < 1 || q < 1)
    return rules.broken(ErrorCode::kShape, "C1",
                        "data has rank " + std::to_string(r) + " and indices have rank " +
                            std::to_string(q) + ", both must be 1 or more");
  if (indices.back() > r)
    return rules.broken(ErrorCode::kShape, "C2",
                        "index tuples have length " + std::to_string(indices.back()) +
                            ", must be at most " + std::to_string(r) + ", the rank of data");
  Shape expected;
  const bool fits = expected.append(indices, 0, q - 1) &&
                    expected.append(data, static_cast<int>(indices.back()), r);
  if (fits && inputs[2].shape == expected) return {};
  return rules.broken(ErrorCode::kShape, "C3",
                      "updates have shape " + to_string(inputs[2].shape) +
                          (fits ? ", must have shape " + to_string(expected)
                                : ", must have a rank above " + std::to_string(kMaxRank)));
}

}  // namespace

Result<Operation> build(const onnx::ScatterND& op, std::span<const TensorSpec> inputs,
                        const CallOptions& options) {
  const Rules rules("ScatterND", op.version);
  const auto combine = parse_reduction(rules, op.reduction, op.version, inputs[0].dtype);
  if (!combine) return combine.error();
  if (Status status = check(rules, inputs); !status) return status;
  Operation operation;
  operation.scatter = true;
  operation.updates_input = 2;
  operation.combine = *combine;
  operation.refuse_duplicates = refuses_duplicates(options, *combine);
  operation.map.loops = inputs[2].shape;
  operation.map.axes = tuple_axes(inputs[0].shape, inputs[1].shape, 0, policy_of(options));
  operation.result_shape = inputs[0].shape;
  operation.index_constraint = rules.label("C4");
  operation.duplicate_constraint = rules.label("D1");
  return operation;
}

}  // namespace windrow::internal
