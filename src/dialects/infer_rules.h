#ifndef WINDROW_DIALECTS_INFER_RULES_H_
#define WINDROW_DIALECTS_INFER_RULES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/dialects/rules.h"
#include "windrow/dim.h"
#include "windrow/status.h"

// What shape inference asks of shapes that may hold symbols. Only a definite break of a rule is an
// error.
namespace windrow::internal {

using SymbolicDims = std::vector<Dim>;

// A named input; null dims: not even its rank is known.
struct InferredInput {
  std::string_view name;
  const SymbolicDims* dims = nullptr;

  // The shape must outlive this.
  InferredInput(std::string_view input_name, const SymbolicShape& shape) noexcept
      : name(input_name), dims(shape ? &*shape : nullptr) {}
  bool has_rank() const noexcept { return dims != nullptr; }
  std::int64_t rank() const noexcept { return static_cast<std::int64_t>(dims->size()); }
  const Dim& operator[](std::int64_t axis) const noexcept {
    return (*dims)[static_cast<std::size_t>(axis)];
  }
};

// Whether both numbers are known and a is not b, or is more than b.
inline bool must_differ(const Dim& a, const Dim& b) noexcept {
  return a.is_known() && b.is_known() && a.value != b.value;
}
inline bool must_exceed(const Dim& a, const Dim& b) noexcept {
  return a.is_known() && b.is_known() && a.value > b.value;
}

// The extent that two axes have in common where one of them may be 1; unknown where that is open.
Dim broadcast_dim(const Dim& a, const Dim& b);

// The extent that two axes have in common where they are equal.
inline Dim same_dim(const Dim& a, const Dim& b) {
  return a.is_known() || !a.symbol.empty() ? a : b;
}

// C2 of operators with batch axes: these are equal, or `broadcasts` and one of them is 1.
Status check_batch_dims(const Rules& rules, const InferredInput& data, const InferredInput& indices,
                        std::int64_t batch_dims, bool broadcasts);

// Rule A1 of the operators with an axis: it is in [-r, r-1].
Status check_axis(const Rules& rules, std::int64_t axis, const InferredInput& data);

inline std::int64_t resolve_axis(std::int64_t axis, std::int64_t rank) noexcept {
  return axis < 0 ? axis + rank : axis;
}

// That the rank, if known, is at least `least`.
Status check_rank(const Rules& rules, std::string_view rule, const InferredInput& input,
                  std::int64_t least);

// That the ranks, if both are known, are equal.
Status check_same_rank(const Rules& rules, std::string_view rule, const InferredInput& a,
                       const InferredInput& b);

// C1 of GatherElements: both of one rank, at least 1, as far as they are known.
Status check_common_rank(const Rules& rules, const InferredInput& data,
                         const InferredInput& indices);

// C2 of GatherElements: no axis of indices but `axis` is longer than data's. Both have ranks.
Status check_not_longer(const Rules& rules, const InferredInput& data, const InferredInput& indices,
                        std::int64_t axis);

// That a result's rank is one that a tensor can have.
Status check_result_rank(const Rules& rules, std::string_view rule, std::int64_t rank);

// GatherND: the number of batch axes, called `name`, is not negative and below both ranks, as far
// as they are known.
Status check_below_ranks(const Rules& rules, std::string_view rule, std::string_view name,
                         std::int64_t value, const InferredInput& data,
                         const InferredInput& indices);

// "indices has 4 at axis 0, data has 3"
std::string compare_dims(const InferredInput& a, const InferredInput& b, std::int64_t axis);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_INFER_RULES_H_
