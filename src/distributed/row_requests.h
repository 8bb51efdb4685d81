#ifndef WINDROW_DISTRIBUTED_ROW_REQUESTS_H_
#define WINDROW_DISTRIBUTED_ROW_REQUESTS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "src/distributed/kept_rows.h"
#include "src/distributed/routes.h"
#include "src/distributed/sharded_state.h"

// How rows come to the ranks that ask for them.
namespace windrow::internal {

// The rows that this rank asks for, and those that each other one asks it for.
struct RowRequests {
  TakeRoutes routes;
  std::optional<KeptRows> kept;     // set: what it does not have is asked for, not all of `routes`
  std::vector<std::int64_t> asked;  // of this rank by every rank; 0 by itself
  Tensor asked_ids;                 // [sum of asked]: rows of this rank's shard

  // How many rows this rank asks each other one for, and which.
  const std::vector<std::int64_t>& counts() const { return kept ? kept->counts() : routes.counts; }
  const Tensor& ids() const { return kept ? kept->ids() : routes.rows; }

  // Allocates what exchange() fills; counts[r]: the number of rows that rank r asks for. Errors:
  // kOutOfMemory.
  Status allocate(const ShardedState& state, std::vector<std::int64_t> counts);
  // Collective. Errors: kIo.
  Status exchange(const ShardedState& state, Link& link);
};

// One journey of the rows of some requests, which must stay.
class RowTransfer {
 public:
  RowTransfer(const ShardedState& state, const RowRequests& requests, const CallOptions& options,
              Threads* threads)
      : state_(state), requests_(requests), options_(options), threads_(threads) {}

  // Allocates taken(). Errors: kOutOfMemory.
  Status allocate_taken();
  // Allocates the rest, once it is known what other ranks ask for. Errors: kOutOfMemory.
  Status allocate();
  // Collects the rows that ranks ask for, this rank's own at once to their places.
  Status gather();
  // Collective. `kept`: RowRequests::kept, or null. Errors: kIo.
  Status exchange(Link& link, KeptRows* kept = nullptr);
  // The row of each of requests.routes.rows.
  const Tensor& taken() const { return taken_; }
  Tensor& taken() { return taken_; }

 private:
  const ShardedState& state_;
  const RowRequests& requests_;
  const CallOptions& options_;
  Threads* threads_;
  Tensor asked_rows_;
  Tensor taken_;
};

}  // namespace windrow::internal

#endif  // WINDROW_DISTRIBUTED_ROW_REQUESTS_H_
