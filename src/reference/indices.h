#ifndef WINDROW_REFERENCE_INDICES_H_
#define WINDROW_REFERENCE_INDICES_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "src/reference/loops.h"
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
  // The legal negative indices are at most this.
  std::int64_t highest_negative = -1;
  OutOfRange policy = OutOfRange::kError;
  Negatives negatives = Negatives::kCountFromEnd;
  std::optional<std::int64_t> padding = std::nullopt;  // the index that means no coordinate
};

// Whether an element of an index tensor is the rule's padding.
bool is_padding(const IndexRule& rule, const TensorView& indices, const Position& position);

// The rule of the tables "Indices" in docs/operators/ for one axis of `data`.
IndexRule index_rule(OutOfRange policy, Negatives negatives, const Shape& data, int axis);
IndexRule index_rule(const Call& call, const IndexUse& use, const Shape& data, int axis);

// What a negative index means in a call whose operator reads it as `own`.
Negatives negatives_in(const Call& call, Negatives own);

// The coordinate that a legal index means; nothing if it is outside (zero, skip, padding).
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

// One index for every element along an axis: GatherElements and its scatters.

// C1 of the gathers.
Status check_gather_ranks(const Call& call);

// C1 of the scatters.
Status check_equal_ranks(const Call& call);

// No extent of indices off the axis is larger than that of data.
Status check_window(const Call& call, std::string_view rule, int axis);

// C2 and C3 of the scatters.
Status check_element_shapes(const Call& call, int axis);

// These two check the size of the result and the indices; all else has been checked.
Result<Tensor> gather_elements(const Call& call, const IndexUse& use, int axis);
Result<Tensor> scatter_elements(const Call& call, const IndexUse& use, int axis, const Fold& fold);

// Slices of data across one axis.

// C1: data has an axis.
Status check_has_axes(const Call& call);

// C1 and A1. Returns the axis, counted from the front.
Result<int> check_slice_axis(const Call& call, std::int64_t axis);

// Gather of ONNX and Take from C1 on.
Result<Tensor> gather_slices(const Call& call, const IndexUse& use, std::int64_t axis);

// These two check the size of the result and the indices; all else has been checked.
//
// The first `batch` axes of data and indices are walked together, repeated where one has extent 1;
// batch <= axis.
Result<Tensor> gather_along_axis(const Call& call, const IndexUse& use, int axis, int batch);

// Replaces, or folds into, the slices that the indices name.
Result<Tensor> scatter_along_axis(const Call& call, const IndexUse& use, int axis,
                                  const Fold& fold = {});

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_INDICES_H_
