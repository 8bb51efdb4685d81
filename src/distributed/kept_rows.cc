#include "src/distributed/kept_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace windrow::internal {

Status KeptRows::find(const ShardedState& state, const TakeRoutes& routes, Tensor& taken) {
  state_ = &state;
  routes_ = &routes;
  taken_ = bytes_of(taken);
  std::int64_t first = 0;
  for (std::size_t rank = 0; rank < routes.counts.size(); ++rank) {
    counts_.push_back(0);
    if (rank != static_cast<std::size_t>(state.link.rank())) find_of_rank(rank, first);
    first += routes.counts[rank];
  }
  const auto count = static_cast<std::int64_t>(missed_.size());
  if (Status status = internal::keep(Tensor::allocate(state.id_type, {count}), ids_); !status)
    return status;
  const std::int64_t id_bytes = state.id_bytes();
  for (std::int64_t i = 0; i < count; ++i)
    std::memcpy(bytes_of(ids_) + i * id_bytes,
                bytes_of(routes.rows) + missed_[static_cast<std::size_t>(i)] * id_bytes,
                static_cast<std::size_t>(id_bytes));
  return internal::keep(Tensor::allocate(state.dtype, state.rows_shape(count)), came_);
}

void KeptRows::find_of_rank(std::size_t rank, std::int64_t first) {
  const auto count = static_cast<std::size_t>(routes_->counts[rank]);
  std::vector<std::int64_t> rows(count);
  std::vector<std::byte*> to(count);
  std::vector<std::uint8_t> found(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t place = first + static_cast<std::int64_t>(i);
    rows[i] = row_at(routes_->rows, place);
    to[i] = taken_ + place * state_->row_bytes;
  }
  state_->remote_cache->find(rank, state_->row_bytes, rows, to, found);
  for (std::size_t i = 0; i < count; ++i)
    if (found[i] == 0) missed_.push_back(first + static_cast<std::int64_t>(i));
  counts_[rank] = std::count(found.begin(), found.end(), std::uint8_t{0});
}

void KeptRows::place() {
  const std::int64_t row_bytes = state_->row_bytes;
  const std::byte* from = bytes_of(came_);
  for (const std::int64_t place : missed_) {
    std::memcpy(taken_ + place * row_bytes, from, static_cast<std::size_t>(row_bytes));
    from += row_bytes;
  }
}

void KeptRows::keep() {
  const auto row_bytes = static_cast<std::size_t>(state_->row_bytes);
  const std::byte* from = bytes_of(came_);
  std::int64_t id = 0;
  for (std::size_t rank = 0; rank < counts_.size(); ++rank)
    for (std::int64_t i = 0; i < counts_[rank]; ++i, ++id, from += row_bytes)
      state_->remote_cache->insert(rank, row_at(ids_, id), {from, row_bytes});
}

}  // namespace windrow::internal
