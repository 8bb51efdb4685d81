#include "src/distributed/row_requests.h"

#include <span>
#include <utility>

namespace windrow::internal {
namespace {

std::size_t own_rank(const ShardedState& state) {
  return static_cast<std::size_t>(state.link.rank());
}

}  // namespace

Status RowRequests::allocate(const ShardedState& state, std::vector<std::int64_t> counts) {
  asked = std::move(counts);
  asked[own_rank(state)] = 0;
  return keep(Tensor::allocate(state.id_type, {sum_of(asked)}), asked_ids);
}

Status RowRequests::exchange(const ShardedState& state, Link& link) {
  auto to = parts_of<const std::byte>(bytes_of(ids()), counts(), state.id_bytes());
  to[own_rank(state)] = {};
  const auto from = parts_of(bytes_of(asked_ids), asked, state.id_bytes());
  return link.exchange(Payload::kIds, to, from);
}

Status RowTransfer::allocate_taken() {
  const Shape shape = state_.rows_shape(sum_of(requests_.routes.counts));
  return keep(Tensor::allocate(state_.dtype, shape), taken_);
}

Status RowTransfer::allocate() {
  const Shape shape = state_.rows_shape(sum_of(requests_.asked));
  return keep(Tensor::allocate(state_.dtype, shape), asked_rows_);
}

Status RowTransfer::gather() {
  if (Status status =
          state_.shard->take(requests_.asked_ids, asked_rows_.mutable_view(), options_, threads_);
      !status)
    return status;
  const TakeRoutes& routes = requests_.routes;
  const std::size_t own = own_rank(state_);
  const std::int64_t first = sum_of(std::span(routes.counts).first(own));
  const std::int64_t count = routes.counts[own];
  return state_.shard->take(
      {state_.id_type, {count}, bytes_of(routes.rows) + first * state_.id_bytes()},
      {state_.dtype, state_.rows_shape(count), bytes_of(taken_) + first * state_.row_bytes},
      options_, threads_);
}

Status RowTransfer::exchange(Link& link, KeptRows* kept) {
  const auto to = parts_of<const std::byte>(bytes_of(std::as_const(asked_rows_)), requests_.asked,
                                            state_.row_bytes);
  auto from =
      parts_of(bytes_of(kept ? kept->came() : taken_), requests_.counts(), state_.row_bytes);
  from[own_rank(state_)] = {};
  if (Status status = link.exchange(Payload::kRows, to, from); !status) return status;
  if (kept != nullptr) kept->place();
  return {};
}

}  // namespace windrow::internal
