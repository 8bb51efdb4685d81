#include "src/dialects/scatter.h"

#include <string>
#include <utility>

#include "src/dialects/gather_checks.h"

namespace windrow::internal {

Status check_element_ranks(const Rules& rules, std::span<const TensorSpec> inputs) {
  const int r = inputs[0].shape.rank();
  const int q = inputs[1].shape.rank();
  const int u = inputs[2].shape.rank();
  if (r >= 1 && q == r && u == r) return {};
  return rules.broken(ErrorCode::kShape, "C1",
                      "data, indices and updates have ranks " + std::to_string(r) + ", " +
                          std::to_string(q) + " and " + std::to_string(u) +
                          ", must be equal and at least 1");
}

Status check_element_shapes(const Rules& rules, std::span<const TensorSpec> inputs, int axis) {
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  const Shape& updates = inputs[2].shape;
  if (!(updates == indices))
    return rules.broken(ErrorCode::kShape, "C2",
                        "updates have shape " + to_string(updates) +
                            ", must have the shape of indices, " + to_string(indices));
  return check_not_longer(rules, "C3", data, indices, axis);
}

Status check_tuple_shapes(const Rules& rules, std::span<const TensorSpec> inputs,
                          bool takes_single) {
  const Shape& data = inputs[0].shape;
  const Shape& indices = inputs[1].shape;
  const Shape& updates = inputs[2].shape;
  const int r = data.rank();
  const int q = indices.rank();
  if (Status status = check_tuple_ranks(rules, data, indices); !status) return status;
  if (indices.back() > r)
    return rules.broken(ErrorCode::kShape, "C2",
                        "index tuples have length " + std::to_string(indices.back()) +
                            ", must be at most " + std::to_string(r) + ", the rank of data");
  Shape expected;
  const bool fits = expected.append(indices, 0, q - 1) &&
                    expected.append(data, static_cast<int>(indices.back()), r);
  if (fits && updates == expected) return {};
  if (takes_single && fits && expected.empty() && element_count(updates) == 1) return {};
  return rules.broken(ErrorCode::kShape, "C3",
                      "updates have shape " + to_string(updates) +
                          (fits ? ", must have shape " + to_string(expected)
                                : ", must have a rank above " + std::to_string(kMaxRank)));
}

Operation scatter_operation(const Rules& rules, std::span<const TensorSpec> inputs, AccessMap map,
                            const ScatterUse& use, const CallOptions& options,
                            std::string_view index_rule) {
  const bool refuses_negatives = use.indices.negatives == Negatives::kRefused;
  Operation operation;
  operation.scatter = true;
  operation.updates_input = 2;
  operation.combine = use.combine;
  operation.from_data = use.from_data || use.combine == Combine::kAssign;
  operation.refuse_duplicates = refuses_duplicates(options, use.combine);
  operation.map = std::move(map);
  operation.result_shape = inputs[0].shape;
  operation.index_constraint = rules.label(refuses_negatives ? "S1" : index_rule);
  operation.duplicate_constraint = rules.label("D1");
  return operation;
}

}  // namespace windrow::internal
