#ifndef WINDROW_REFERENCE_INDICES_H_
#define WINDROW_REFERENCE_INDICES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "src/reference/call.h"
#include "src/reference/positions.h"
#include "windrow/options.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal::reference {

// What a negative index means.
enum class Negatives : std::uint8_t {
  kCountFromEnd,
  kRefused,  // counts from the end in the text of a later version; here an error under every policy
  kOutside   // outside, as an index that is too large
};

// How a version reads its indices.
struct IndexUse {
  std::string_view rule;  // that a bad one breaks: "C3"
  Negatives negatives = Negatives::kCountFromEnd;
  std::optional<OutOfRange> policy = std::nullopt;  // in place of the call's
};

// What the indices into one axis may be, and which coordinate each means.
struct IndexRule {
  int axis = 0;  // of the indexed tensor
  std::int64_t extent = 0;
  std::int64_t low = 0;  // the legal indices are [low, high]; others are errors under every policy
  std::int64_t high = 0;
  OutOfRange policy = OutOfRange::kError;
  Negatives negatives = Negatives::kCountFromEnd;
};

// The rule of the tables "Indices" in docs/operators/ for one axis of `data`.
IndexRule index_rule(OutOfRange policy, Negatives negatives, const Shape& data, int axis);
IndexRule index_rule(const Call& call, const IndexUse& use, const Shape& data, int axis);

// The coordinate that a legal index means; nothing if it is outside (zero, skip).
std::optional<std::int64_t> coordinate(const IndexRule& rule, std::int64_t index);
// The same for an element of an index tensor, which may be a uint64 above 2^63-1.
std::optional<std::int64_t> coordinate(const IndexRule& rule, const TensorView& indices,
                                       const Position& position);

// `value` modulo `extent` (above 0), never negative.
std::int64_t modulo(std::int64_t value, std::int64_t extent);

// The axis that `axis` in [-rank, rank-1] means; nothing outside.
std::optional<int> normal_axis(std::int64_t axis, int rank);

// Rule A1: `axis` is in [-rank, rank-1] for the tensor `name` of rank `rank`. Returns it counted
// from the front.
Result<int> check_axis(const Call& call, std::int64_t axis, std::string_view name, int rank);

// Names for messages.
struct IndexNames {
  std::string_view rule;     // "C3"
  std::string_view indices;  // "indices"
  std::string_view data;     // "data"
};

// Checks every element of `indices`; the error names the first bad one and their number.
Status check_indices(const Call& call, const IndexNames& names, const TensorView& indices,
                     const std::function<const IndexRule&(const Position&)>& rule_at);

// The same for indices that are all under one rule.
Status check_indices(const Call& call, const IndexNames& names, const TensorView& indices,
                     const IndexRule& rule);

// The call's indices into `axis` of data, read as `use` says: their rule, once they are checked.
Result<IndexRule> check_indices(const Call& call, const IndexUse& use, int axis);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_INDICES_H_
