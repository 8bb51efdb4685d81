#ifndef WINDROW_DIALECTS_SHAPE_RULES_H_
#define WINDROW_DIALECTS_SHAPE_RULES_H_

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "src/dialects/known_inputs.h"
#include "src/dialects/rules.h"
#include "windrow/dim.h"
#include "windrow/status.h"

// What rules ask of shapes that may hold unknown extents. A check fails only where what is known
// breaks the rule, whatever the rest is.
namespace windrow::internal {

// Whether both numbers are known and a is not b, or is more than b.
inline bool must_differ(const Dim& a, const Dim& b) noexcept {
  return a.is_known() && b.is_known() && a.value != b.value;
}
inline bool must_exceed(const Dim& a, const Dim& b) noexcept {
  return a.is_known() && b.is_known() && a.value > b.value;
}
// Whether must_differ() holds and neither is 1.
inline bool must_clash(const Dim& a, const Dim& b) noexcept {
  return must_differ(a, b) && a.value != 1 && b.value != 1;
}

// The extent that two axes have in common where one of them may be 1; unknown where that is open.
Dim broadcast_dim(const Dim& a, const Dim& b);

// The extent that two axes have in common where they are equal.
inline Dim same_dim(const Dim& a, const Dim& b) {
  return a.is_known() || !a.symbol.empty() ? a : b;
}

// The product of extents, unknown where it is open; nothing if it exceeds 2^63-1.
std::optional<Dim> product(std::span<const Dim> dims);

void append(SymbolicDims& result, const KnownInput& input, std::int64_t from, std::int64_t to);

// Parts of messages: "[2, N, ?]"; "data has shape [2]"; "data has rank 1 and indices have rank 2";
// "data has shape [2] and indices have shape [3]: "; "data of rank 2".
std::string to_string(const SymbolicDims& dims);
std::string describe_shape(const KnownInput& input);
std::string describe_ranks(const KnownInput& a, const KnownInput& b);
std::string describe_shapes(const KnownInput& a, const KnownInput& b);
std::string with_rank(const KnownInput& input);

// Whether a known rank is below `least`, or two of them differ.
bool ranks_clash(std::initializer_list<const KnownInput*> inputs, std::int64_t least);

// The rank is at least 1.
Status check_has_axes(const Rules& rules, std::string_view rule, const KnownInput& input);

// The rank of the result is one that a tensor can have.
Status check_result_rank(const Rules& rules, std::string_view rule, std::int64_t rank);

// The shape is `expected`.
bool may_have_shape(const KnownInput& input, const SymbolicDims& expected);
Status check_shape(const Rules& rules, std::string_view rule, const KnownInput& input,
                   const SymbolicDims& expected);

// C2: the first `batch_dims` extents of both are equal or, if they are broadcast, one of them is 1.
Status check_batch_axes(const Rules& rules, const KnownInput& data, const KnownInput& indices,
                        std::int64_t batch_dims, bool broadcasts);

// C2: both have the same extents except on `axis`. They have one rank.
Status check_off_axis(const Rules& rules, const KnownInput& a, const KnownInput& b,
                      std::optional<std::int64_t> axis);

// A1: `axis` is in [-r, r-1], r being the rank of `input`. Returns the axis counted from the front;
// nothing where the rank is not known.
Result<std::optional<std::int64_t>> check_axis(const Rules& rules, std::int64_t axis,
                                               const KnownInput& input);

// An input of rank 0 (or `may_have_an_axis`) with one element, whose value is known when a plan is
// compiled. Returns the value; nothing where inference does not know it.
Result<std::optional<std::int64_t>> check_single(const Rules& rules, ErrorCode code,
                                                 std::string_view rule, const KnownInput& input,
                                                 bool may_have_an_axis);

// data[:batch_dims] ++ data[batch_dims:axis] ++ indices[batch_dims:] ++ data[axis+1:], all ranks
// being known, `batch` giving the extent that the two have in common on a batch axis.
SymbolicDims slice_dims(const KnownInput& data, const KnownInput& indices, std::int64_t axis,
                        std::int64_t batch_dims = 0,
                        Dim (*batch)(const Dim&, const Dim&) = &same_dim);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_SHAPE_RULES_H_
