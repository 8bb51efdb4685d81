#include "src/dialects/infer_rules.h"

#include <initializer_list>

#include "windrow/shape.h"

namespace windrow::internal {

Dim broadcast_dim(const Dim& a, const Dim& b) {
  const auto is_one = [](const Dim& dim) { return dim.is_known() && dim.value == 1; };
  if (is_one(a)) return b;
  if (is_one(b)) return a;
  if (a.is_known()) return a;
  if (b.is_known()) return b;
  return a == b ? a : Dim();
}

Status check_axis(const Rules& rules, std::int64_t axis, const InferredInput& data) {
  if (!data.has_rank()) return {};
  const int rank = static_cast<int>(data.rank());
  return normal_axis(axis, rank) ? Status() : axis_error(rules, axis, data.name, rank);
}

Status check_rank(const Rules& rules, std::string_view rule, const InferredInput& input,
                  std::int64_t least) {
  if (!input.has_rank() || input.rank() >= least) return {};
  return rules.broken(ErrorCode::kShape, rule,
                      std::string(input.name) + " has rank " + std::to_string(input.rank()) +
                          ", must be at least " + std::to_string(least));
}

Status check_same_rank(const Rules& rules, std::string_view rule, const InferredInput& a,
                       const InferredInput& b) {
  if (!a.has_rank() || !b.has_rank() || a.rank() == b.rank()) return {};
  return rules.broken(ErrorCode::kShape, rule,
                      std::string(b.name) + " has rank " + std::to_string(b.rank()) + ", must be " +
                          std::to_string(a.rank()) + ", the rank of " + std::string(a.name));
}

Status check_result_rank(const Rules& rules, std::string_view rule, std::int64_t rank) {
  if (rank <= kMaxRank) return {};
  return rules.broken(
      ErrorCode::kShape, rule,
      "the result has rank " + std::to_string(rank) + ", at most " + std::to_string(kMaxRank));
}

Status check_below_ranks(const Rules& rules, std::string_view rule, std::string_view name,
                         std::int64_t value, const InferredInput& data,
                         const InferredInput& indices) {
  const std::string text = std::string(name) + " is " + std::to_string(value) + ", must be ";
  for (const InferredInput* input : {&data, &indices}) {
    if (input->has_rank() && value >= input->rank())
      return rules.broken(ErrorCode::kInvalidArgument, rule,
                          text + "below the rank of " + std::string(input->name) + ", " +
                              std::to_string(input->rank()));
  }
  if (value >= 0) return {};
  return rules.broken(ErrorCode::kInvalidArgument, rule, text + "at least 0");
}

std::string compare_dims(const InferredInput& a, const InferredInput& b, std::int64_t axis) {
  return std::string(a.name) + " has " + std::to_string(a[axis].value) + " at axis " +
         std::to_string(axis) + ", " + std::string(b.name) + " has " +
         std::to_string(b[axis].value);
}

Status check_batch_dims(const Rules& rules, const InferredInput& data, const InferredInput& indices,
                        std::int64_t batch_dims, bool broadcasts) {
  for (std::int64_t d = 0; d < batch_dims; ++d) {
    const bool stretches = broadcasts && (data[d].value == 1 || indices[d].value == 1);
    if (must_differ(data[d], indices[d]) && !stretches)
      return rules.broken(ErrorCode::kShape, "C2",
                          compare_dims(indices, data, d) + ": the batch axes do not fit");
  }
  return {};
}

Status check_common_rank(const Rules& rules, const InferredInput& data,
                         const InferredInput& indices) {
  for (const InferredInput* input : {&data, &indices}) {
    if (Status status = check_rank(rules, "C1", *input, 1); !status) return status;
  }
  return check_same_rank(rules, "C1", data, indices);
}

Status check_not_longer(const Rules& rules, const InferredInput& data, const InferredInput& indices,
                        std::int64_t axis) {
  for (std::int64_t d = 0; d < data.rank(); ++d) {
    if (d != axis && must_exceed(indices[d], data[d]))
      return rules.broken(ErrorCode::kShape, "C2",
                          compare_dims(indices, data, d) + ": indices must not be longer");
  }
  return {};
}

}  // namespace windrow::internal
