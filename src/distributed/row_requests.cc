#include "src/distributed/row_requests.h"

#include <span>
#include <utility>

namespace windrow::internal {
namespace {

std::size_t own_rank(const ShardedState& state) {
  return static_cast<std::size_t>(state.link.rank());
}

}  // namespace

bool RowRequests::is_small(const ShardedState& state) const {
  for (std::size_t r = 0; r < counts().size(); ++r)
    if (r != own_rank(state) && counts()[r] > state.reserve.rows_of_pair) return false;
  return true;
}

Status RowRequests::allocate(const ShardedState& state, Announcement all) {
  asked = std::move(all.counts);
  asked[own_rank(state)] = 0;
  asked_ids = {state.id_type, {sum_of(asked)}, nullptr};
  if (all.is_small) {
    asked_ids.data = state.reserve.ids_at;
    return {};
  }
  Status status = keep(Tensor::allocate(state.id_type, asked_ids.shape), own_ids_);
  if (status) asked_ids.data = own_ids_.data();
  return status;
}

Status RowRequests::exchange(const ShardedState& state, Link& link) {
  auto to = parts_of<const std::byte>(bytes_of(ids()), counts(), state.id_bytes());
  to[own_rank(state)] = {};
  const auto from = parts_of(static_cast<std::byte*>(asked_ids.data), asked, state.id_bytes());
  return link.exchange(Payload::kIds, to, from);
}

Status RowTransfer::allocate_taken() {
  const Shape shape = state_.rows_shape(sum_of(requests_.routes.counts));
  return keep(Tensor::allocate(state_.dtype, shape), taken_);
}

Status RowTransfer::allocate(bool in_reserve) {
  asked_rows_ = {state_.dtype, state_.rows_shape(sum_of(requests_.asked)), nullptr};
  if (in_reserve) {
    asked_rows_.data = state_.reserve.rows_at;
    return {};
  }
  Status status = keep(Tensor::allocate(state_.dtype, asked_rows_.shape), own_rows_);
  if (status) asked_rows_.data = own_rows_.data();
  return status;
}

Status RowTransfer::gather() {
  if (Status status = state_.shard->take(requests_.asked_ids, asked_rows_, options_, threads_);
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

RowTransfer::Parts RowTransfer::parts(KeptRows* kept) {
  Parts parts{
      parts_of(static_cast<const std::byte*>(asked_rows_.data), requests_.asked, state_.row_bytes),
      parts_of(bytes_of(kept ? kept->came() : taken_), requests_.counts(), state_.row_bytes)};
  parts.from[own_rank(state_)] = {};
  return parts;
}

Status RowTransfer::exchange(Link& link, KeptRows* kept) {
  const Parts parts = this->parts(kept);
  if (Status status = link.exchange(Payload::kRows, parts.to, parts.from); !status) return status;
  if (kept != nullptr) kept->place();
  return {};
}

Status RowTransfer::exchange_and_agree(Link& link, const Status& own, KeptRows* kept) {
  const Parts parts = this->parts(kept);
  if (Status status = link.exchange_and_agree(Payload::kRows, parts.to, parts.from, own); !status)
    return status;
  if (kept != nullptr) kept->place();
  return {};
}

}  // namespace windrow::internal
