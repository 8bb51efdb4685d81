#ifndef WINDROW_DIALECTS_TUPLE_GATHER_H_
#define WINDROW_DIALECTS_TUPLE_GATHER_H_

#include <cstdint>
#include <string_view>

#include "src/dialects/shape_rules.h"

// The rules of gathers by index tuples: GatherND, and TensorRT's Gather in mode ND.
namespace windrow::internal {

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

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_TUPLE_GATHER_H_
