#ifndef WINDROW_DISTRIBUTED_KEPT_ROWS_H_
#define WINDROW_DISTRIBUTED_KEPT_ROWS_H_

#include <cstdint>
#include <vector>

#include "src/distributed/routes.h"
#include "src/distributed/sharded_state.h"

namespace windrow::internal {

// The rows of a take where this rank keeps rows of other ranks (ShardedState::remote_cache, which
// must be there): those that it has, and those that travel.
class KeptRows {
 public:
  // Copies the rows that are kept to their places in `taken`, which has the rows of `routes`, and
  // allocates what the others need. Both must stay. Errors: kOutOfMemory.
  Status find(const ShardedState& state, const TakeRoutes& routes, Tensor& taken);

  // Of the rows that travel: how many each rank has, 0 of this one; their numbers in its shard,
  // rank by rank; memory for the rows themselves.
  const std::vector<std::int64_t>& counts() const { return counts_; }
  const Tensor& ids() const { return ids_; }
  Tensor& came() { return came_; }

  // Copies the rows that have come to their places.
  void place();
  // Keeps the rows that have come, once all ranks have said that they are right.
  void keep();

 private:
  // Finds the rows of one rank, which stand in `routes` from `first` on.
  void find_of_rank(std::size_t rank, std::int64_t first);

  const ShardedState* state_ = nullptr;
  const TakeRoutes* routes_ = nullptr;
  std::byte* taken_ = nullptr;
  std::vector<std::int64_t> counts_;
  std::vector<std::int64_t> missed_;  // of the rows that travel the places in `routes`
  Tensor ids_;
  Tensor came_;
};

}  // namespace windrow::internal

#endif  // WINDROW_DISTRIBUTED_KEPT_ROWS_H_
