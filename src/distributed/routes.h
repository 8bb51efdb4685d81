#ifndef WINDROW_DISTRIBUTED_ROUTES_H_
#define WINDROW_DISTRIBUTED_ROUTES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "windrow/distributed.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Which rows a call of one rank has to do with, sorted by the ranks that own them. `numbers` are
// rows of the table, or kZeroRow (src/operators/taken_rows.h). Errors of all functions:
// kOutOfMemory.
namespace windrow::internal {

// The rows that a take asks for, each once.
struct TakeRoutes {
  std::vector<std::int64_t> counts;  // of the rows of each rank
  Tensor rows;    // [sum of counts]: as numbered in their ranks' shards, rank by rank
  Tensor places;  // int64 [n]: of each number its place in `rows`, or kZeroRow
};

// The row at a place of a list of rows.
std::int64_t row_at(const Tensor& rows, std::int64_t place);

// `id_type`: int32, if every shard has fewer than 2^31 rows, or int64.
Result<TakeRoutes> route_take(const ShardMap& map, std::span<const std::int64_t> numbers,
                              DType id_type);

// The updates that are sent, in their order.
struct UpdateRoutes {
  std::vector<std::int64_t> counts;  // of the updates for each rank
  Tensor rows;     // [sum of counts]: as numbered in their ranks' shards, rank by rank
  Tensor sources;  // int64 [sum of counts]: which update of the caller's goes there
  // Sent::kCombined: int64 [n], of each update the place in `rows` at which it is combined with the
  // one that goes there, or kZeroRow: it goes there itself, or nowhere. Else absent.
  Tensor combined = {};
};

enum class Sent : std::uint8_t {
  kAll,       // every update
  kLast,      // of the updates of a row the last one
  kCombined,  // of the updates of a row one, with which its rank has combined the others
};

Result<UpdateRoutes> route_updates(const ShardMap& map, std::span<const std::int64_t> numbers,
                                   DType id_type, Sent sent);

}  // namespace windrow::internal

#endif  // WINDROW_DISTRIBUTED_ROUTES_H_
