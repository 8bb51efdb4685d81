#include "src/dialects/infer_scatter.h"

#include <string>
#include <utility>

namespace windrow::internal {
namespace {

// Rule C3 of ScatterND, the tuples being `tuple` long.
Status check_nd_updates(const Rules& rules, const InferredInput& data, const InferredInput& indices,
                        const InferredInput& updates, std::int64_t tuple, bool takes_single) {
  const std::int64_t outer = indices.rank() - 1;
  const std::int64_t rank = outer + data.rank() - tuple;
  if (rank == 0 && takes_single) return {};
  if (updates.rank() != rank)
    return rules.broken(
        ErrorCode::kShape, "C3",
        "updates has rank " + std::to_string(updates.rank()) + ", must be " + std::to_string(rank));
  for (std::int64_t d = 0; d < rank; ++d) {
    const Dim& wanted = d < outer ? indices[d] : data[d - outer + tuple];
    if (must_differ(updates[d], wanted))
      return rules.broken(ErrorCode::kShape, "C3",
                          "updates has " + std::to_string(updates[d].value) + " at axis " +
                              std::to_string(d) + ", must have " + std::to_string(wanted.value));
  }
  return {};
}

}  // namespace

Status check_element_ranks(const Rules& rules, std::span<const SymbolicShape> inputs) {
  const InferredInput data("data", inputs[0]);
  const InferredInput indices("indices", inputs[1]);
  const InferredInput updates("updates", inputs[2]);
  for (const InferredInput* input : {&data, &indices, &updates}) {
    if (Status status = check_rank(rules, "C1", *input, 1); !status) return status;
  }
  for (const auto& [a, b] :
       {std::pair(&data, &indices), std::pair(&data, &updates), std::pair(&indices, &updates)}) {
    if (Status status = check_same_rank(rules, "C1", *a, *b); !status) return status;
  }
  return {};
}

Status check_element_dims(const Rules& rules, std::span<const SymbolicShape> inputs,
                          std::optional<std::int64_t> axis) {
  const InferredInput data("data", inputs[0]);
  const InferredInput indices("indices", inputs[1]);
  const InferredInput updates("updates", inputs[2]);
  if (!indices.has_rank()) return {};
  for (std::int64_t d = 0; updates.has_rank() && d < indices.rank(); ++d) {
    if (must_differ(updates[d], indices[d]))
      return rules.broken(ErrorCode::kShape, "C2",
                          compare_dims(updates, indices, d) + ": the shapes must be equal");
  }
  if (!data.has_rank() || !axis) return {};
  for (std::int64_t d = 0; d < data.rank(); ++d) {
    if (d != *axis && must_exceed(indices[d], data[d]))
      return rules.broken(ErrorCode::kShape, "C3",
                          compare_dims(indices, data, d) + ": indices must not be longer");
  }
  return {};
}

Status check_tuple_dims(const Rules& rules, std::span<const SymbolicShape> inputs,
                        bool takes_single) {
  const InferredInput data("data", inputs[0]);
  const InferredInput indices("indices", inputs[1]);
  const InferredInput updates("updates", inputs[2]);
  for (const InferredInput* input : {&data, &indices}) {
    if (Status status = check_rank(rules, "C1", *input, 1); !status) return status;
  }
  if (!data.has_rank() || !indices.has_rank()) return {};
  const Dim& tuple = indices[indices.rank() - 1];
  if (!tuple.is_known()) return {};
  if (tuple.value > data.rank())
    return rules.broken(ErrorCode::kShape, "C2",
                        "the last axis of indices has " + std::to_string(tuple.value) +
                            ", must be at most " + std::to_string(data.rank()) +
                            ", the rank of data");
  if (!updates.has_rank()) return {};
  return check_nd_updates(rules, data, indices, updates, tuple.value, takes_single);
}

}  // namespace windrow::internal
