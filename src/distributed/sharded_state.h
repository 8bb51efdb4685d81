#ifndef WINDROW_DISTRIBUTED_SHARDED_STATE_H_
#define WINDROW_DISTRIBUTED_SHARDED_STATE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "src/distributed/link.h"
#include "src/distributed/shard.h"
#include "src/distributed/turns.h"
#include "src/row_cache/row_cache.h"
#include "windrow/distributed.h"

namespace windrow::internal {

// The call number of a shard that keeps none.
inline constexpr std::int64_t kNoCallNumber = -1;

// Memory for what other ranks ask for in small look-ups, so that ranks need not agree that there is
// some.
struct Reserve {
  std::int64_t bytes = 0;         // ShardedOptions::reserve_bytes
  std::int64_t rows_of_pair = 0;  // how many rows each other rank may ask for
  Tensor ids = {};                // of all ranks
  Tensor rows = {};
  void* ids_at = nullptr;  // their memory
  void* rows_at = nullptr;
};

struct ShardedState {
  Link link;
  ShardMap map;
  std::unique_ptr<Shard> shard;
  DType dtype = DType::kAbsent;
  Shape shape;                    // of the whole table
  std::int64_t row_bytes = 0;     // of one row
  DType id_type = DType::kInt64;  // of rows' numbers in shards: int32 if they fit
  std::int64_t number = 0;        // no other table of this process has or had it
  std::int64_t routes = 0;        // how many were made
  bool has_stores = false;        // whether the shard of any rank is not in memory
  // Of each rank the number of the last call that wrote to its shard; kNoCallNumber if it keeps
  // none.
  std::vector<std::int64_t> call_numbers = {};
  std::int64_t last_call = 0;  // the number of the last one that wrote to a store of any rank
  // Rows of other ranks, each by the number of its rank, in place of a table, and its number in the
  // shard; null: none are kept.
  std::shared_ptr<RowCache> remote_cache = nullptr;
  Reserve reserve = {};                    // allocated by the first look-up
  std::shared_ptr<Turns> turns = nullptr;  // of the exchange, once a take of this table was begun
  Status damage = {};  // why this rank's shard may be in no defined state: every call's error

  TensorSpec spec() const { return {dtype, shape, {}, {}}; }
  // [rows] ++ the shape of a row.
  Shape rows_shape(std::int64_t rows) const {
    Shape of_rows = shape;
    of_rows[0] = rows;
    return of_rows;
  }
  std::int64_t id_bytes() const { return dtype_bits(id_type) / 8; }
  // Allocates the reserve, if that was not done. Errors: kOutOfMemory.
  Status allocate_reserve();
  // Drops the rows of other ranks, which a call is about to change.
  void forget_remote_rows() const {
    if (remote_cache == nullptr) return;
    for (int rank = 0; rank < link.ranks(); ++rank)
      remote_cache->forget(static_cast<std::uint64_t>(rank));
  }
};

// A number that tells calls apart: the same for the same text and options.
std::int64_t call_tag(std::string_view call, const CallOptions& options);

// The error of a rank that has no memory left for the few numbers on which ranks agree.
Status no_memory_to_agree();

// What `body` returns, a Status, or kOutOfMemory if it throws std::bad_alloc.
template <class Body>
Status in_memory(const Body& body) {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return Status(ErrorCode::kOutOfMemory, "a distributed table: out of memory");
  }
}

// The value of `result` in `value`, or its error.
template <class T>
Status keep(Result<T> result, T& value) {
  if (!result) return result.error();
  value = *std::move(result);
  return {};
}

// data[ids] in the memory at `to`, row-major: by the library's plan for it. Ids, row-major at
// `ids`, are of type `id_type`, and none of them is negative.
Status take_rows(const TensorView& data, DType id_type, const std::byte* ids, std::int64_t count,
                 std::byte* to, const CallOptions& options, Threads* threads);

inline std::byte* bytes_of(Tensor& tensor) { return static_cast<std::byte*>(tensor.data()); }
inline const std::byte* bytes_of(const Tensor& tensor) {
  return static_cast<const std::byte*>(tensor.data());
}

// ShardedTable::take(), which does not wait for calls that were begun.
Result<Tensor> take_now(ShardedState& state, const TensorView& ids, const CallOptions& options,
                        Threads* threads);

// The sum of counts[from..to).
std::int64_t sum_of(std::span<const std::int64_t> counts);

// Checks that a view with elements has memory; `what` names it.
Status check_memory(const TensorView& view, std::string_view what);

}  // namespace windrow::internal

#endif  // WINDROW_DISTRIBUTED_SHARDED_STATE_H_
