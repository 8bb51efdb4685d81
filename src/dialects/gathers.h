#ifndef WINDROW_DIALECTS_GATHERS_H_
#define WINDROW_DIALECTS_GATHERS_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "src/access/access_map.h"
#include "src/dialects/maps.h"
#include "src/dialects/rules.h"
#include "windrow/tensor.h"

// What the gathers of all dialects share.
namespace windrow::internal {

// Gather and Take: C1 (data has axes), A1, C2 (the result's rank). Returns the result's shape.
Result<SymbolicShape> check_slices(const Rules& rules, std::int64_t axis, const KnownInput& data,
                                   const KnownInput& indices);

// C1: data and indices of one rank, at least `least`.
Status check_common_rank(const Rules& rules, const KnownInput& data, const KnownInput& indices,
                         std::int64_t least = 1);

// No axis of indices but `axis` is longer than data's, as far as both shapes are known.
Status check_not_longer(const Rules& rules, std::string_view rule, const KnownInput& data,
                        const KnownInput& indices, std::int64_t axis);

// `map` addresses input 0. `rule` is the one that a bad index breaks, unless negative indices are
// refused.
Operation gather_operation(const Rules& rules, AccessMap map, const IndexUse& use,
                           std::string_view rule);

// The rules of gathers by index tuples: GatherND, and TensorRT's Gather in mode ND.

// What one call asks for, and what the dialects disagree about.
struct TupleGather {
  std::int64_t batch_dims = 0;
  std::string_view batch_rule = "A1";          // of the number of batch axes
  std::string_view batch_name = "batch_dims";  // what that is called
  bool broadcasts = false;                     // a batch axis of extent 1 is broadcast
  std::int64_t shortest_tuple = 1;
};

// C1: data and indices of rank 1 or more.
Status check_tuple_ranks(const Rules& rules, const KnownInput& data, const KnownInput& indices);

// C1 (ranks), the batch axes' number, C2 (their extents), C3 (the tuples' length), C4 (the result's
// rank, before any joining). Returns the result's shape, before any joining of batch axes.
Result<SymbolicShape> check_tuple_gather(const Rules& rules, const TupleGather& gather,
                                         const KnownInput& data, const KnownInput& indices);

// OneHot: where the inputs stand, and what differs in the rules.

struct OneHotInputs {
  std::size_t indices = 0;
  std::size_t depth = 1;
  // Two scalars, or one tensor [off, on], whose place is then in both.
  std::size_t on_value = 2;
  std::size_t off_value = 2;
  bool depth_may_have_an_axis = false;  // of one element

  bool is_pair() const noexcept { return on_value == off_value; }
};

// C1: the values have shape [2], or are scalars; A1: axis in [-q-1, q]; C2: the rank of the result;
// C3: depth has one element, whose value is known and not negative.
Result<SymbolicShape> check_one_hot(const Rules& rules, std::int64_t axis,
                                    const KnownInputs& inputs, const OneHotInputs& places);

Operation build_one_hot(const Rules& rules, std::int64_t axis, std::span<const TensorSpec> inputs,
                        const OneHotInputs& places, const IndexUse& use);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_GATHERS_H_
