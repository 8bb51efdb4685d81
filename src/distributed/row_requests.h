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
  MutableTensorView asked_ids;      // [sum of asked]: rows of this rank's shard

  // How many rows this rank asks each other one for, and which.
  const std::vector<std::int64_t>& counts() const { return kept ? kept->counts() : routes.counts; }
  const Tensor& ids() const { return kept ? kept->ids() : routes.rows; }

  // Whether what this rank asks for fits into the reserve of each other one.
  bool is_small(const ShardedState& state) const;
  // Gets memory for what exchange() fills: that of the table's reserve, which does not fail, if the
  // call is small. Errors: kOutOfMemory.
  Status allocate(const ShardedState& state, Announcement all);
  // Collective. Errors: kIo.
  Status exchange(const ShardedState& state, Link& link);

 private:
  Tensor own_ids_;  // the memory of asked_ids unless it is the reserve's
};

// One journey of the rows of some requests, which must stay.
class RowTransfer {
 public:
  RowTransfer(const ShardedState& state, const RowRequests& requests, const CallOptions& options,
              Threads* threads)
      : state_(state), requests_(requests), options_(options), threads_(threads) {}

  // Allocates taken(). Errors: kOutOfMemory.
  Status allocate_taken();
  // Allocates the rest, once it is known what other ranks ask for; `in_reserve`: in the table's
  // reserve, which does not fail. Errors: kOutOfMemory.
  Status allocate(bool in_reserve = false);
  // Collects the rows that ranks ask for, this rank's own at once to their places.
  Status gather();
  // Collective. `kept`: RowRequests::kept, or null. Errors: kIo.
  Status exchange(Link& link, KeptRows* kept = nullptr);
  // The same, in which ranks agree as well. Errors: that of the lowest rank that has one, kIo.
  Status exchange_and_agree(Link& link, const Status& own, KeptRows* kept);
  // The row of each of requests.routes.rows.
  const Tensor& taken() const { return taken_; }
  Tensor& taken() { return taken_; }

 private:
  struct Parts {
    std::vector<std::span<const std::byte>> to;
    std::vector<std::span<std::byte>> from;
  };
  Parts parts(KeptRows* kept);

  const ShardedState& state_;
  const RowRequests& requests_;
  const CallOptions& options_;
  Threads* threads_;
  MutableTensorView asked_rows_;
  Tensor own_rows_;  // the memory of asked_rows_ unless it is the reserve's
  Tensor taken_;
};

}  // namespace windrow::internal

#endif  // WINDROW_DISTRIBUTED_ROW_REQUESTS_H_
