#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "windrow/distributed.h"

namespace windrow {
namespace internal {
namespace {

// So that sums of a few counts do not overflow.
constexpr std::int64_t kMostShardedRows = std::int64_t{1} << 62;

// Odd, so that a multiplication by one modulo a power of two can be undone. From MurmurHash3.
constexpr std::uint64_t kFirstFactor = 0xff51afd7ed558ccdu;
constexpr std::uint64_t kSecondFactor = 0xc4ceb9fe1a85ec53u;

// The inverse of an odd number modulo 2^64, by Newton's iteration, which doubles the right bits.
constexpr std::uint64_t inverse_of(std::uint64_t odd) {
  std::uint64_t inverse = odd;
  for (int i = 0; i < 5; ++i) inverse *= 2 - odd * inverse;
  return inverse;
}
static_assert(kFirstFactor * inverse_of(kFirstFactor) == 1);
static_assert(kSecondFactor * inverse_of(kSecondFactor) == 1);

// A permutation of the numbers of `bits` bits. Its shifts are of at least half the bits, so that
// each is its own inverse, and inverse factors in the other order undo the whole.
std::uint64_t mix(std::uint64_t value, int bits, std::uint64_t first, std::uint64_t second) {
  if (bits == 0) return value;
  const int shift = (bits + 1) / 2;
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  value ^= value >> shift;
  value = (value * first) & mask;
  value ^= value >> shift;
  value = (value * second) & mask;
  return value ^ (value >> shift);
}

Status bad_rows(std::string_view what) {
  return Status(ErrorCode::kInvalidArgument,
                "the rows of a distributed table: " + std::string(what));
}
Status bad_ranks(int ranks) {
  return bad_rows("the number of ranks is " + std::to_string(ranks) + ", must be at least 1");
}

}  // namespace
}  // namespace internal

ShardMap::ShardMap(ShardBy by, std::vector<std::int64_t> firsts) noexcept
    : by_(by), firsts_(std::move(firsts)) {
  if (by == ShardBy::kHash)
    bits_ = static_cast<int>(
        std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(rows() - 1, 0))));
}

Result<ShardMap> ShardMap::contiguous(std::span<const std::int64_t> rows_of_ranks) {
  if (rows_of_ranks.empty()) return internal::bad_ranks(0);
  std::vector<std::int64_t> firsts = {0};
  for (const std::int64_t rows : rows_of_ranks) {
    if (rows < 0 || rows > internal::kMostShardedRows - firsts.back())
      return internal::bad_rows("rank " + std::to_string(firsts.size() - 1) + " has " +
                                std::to_string(rows) +
                                ", must have at least 0, and all together at most 2^62");
    firsts.push_back(firsts.back() + rows);
  }
  return ShardMap(ShardBy::kContiguous, std::move(firsts));
}

Result<ShardMap> ShardMap::hashed(std::int64_t rows, int ranks) {
  if (ranks < 1) return internal::bad_ranks(ranks);
  if (rows < 0 || rows > internal::kMostShardedRows)
    return internal::bad_rows("their number is " + std::to_string(rows) +
                              ", must be at least 0 and at most 2^62");
  std::vector<std::int64_t> firsts = {0};
  for (int rank = 0; rank < ranks; ++rank)
    firsts.push_back(firsts.back() + rows / ranks + (rank < rows % ranks ? 1 : 0));
  return ShardMap(ShardBy::kHash, std::move(firsts));
}

std::int64_t ShardMap::rows_of(int rank) const noexcept {
  const auto at = static_cast<std::size_t>(rank);
  return firsts_[at + 1] - firsts_[at];
}

// Numbers above the last row are permuted again: fewer than half of all are above it.
std::uint64_t ShardMap::scatter(std::uint64_t row) const noexcept {
  const auto end = static_cast<std::uint64_t>(rows());
  do row = internal::mix(row, bits_, internal::kFirstFactor, internal::kSecondFactor);
  while (row >= end);
  return row;
}

std::uint64_t ShardMap::unscatter(std::uint64_t place) const noexcept {
  const auto end = static_cast<std::uint64_t>(rows());
  constexpr std::uint64_t kFirst = internal::inverse_of(internal::kSecondFactor);
  constexpr std::uint64_t kSecond = internal::inverse_of(internal::kFirstFactor);
  do place = internal::mix(place, bits_, kFirst, kSecond);
  while (place >= end);
  return place;
}

ShardPlace ShardMap::place(std::int64_t row) const noexcept {
  if (by_ == ShardBy::kHash) {
    const auto place = static_cast<std::int64_t>(scatter(static_cast<std::uint64_t>(row)));
    return {static_cast<int>(place % ranks()), place / ranks()};
  }
  const auto next = std::upper_bound(firsts_.begin(), firsts_.end(), row);
  return {static_cast<int>(next - firsts_.begin()) - 1, row - *(next - 1)};
}

std::int64_t ShardMap::row_at(const ShardPlace& place) const noexcept {
  if (by_ == ShardBy::kContiguous) return firsts_[static_cast<std::size_t>(place.rank)] + place.row;
  return static_cast<std::int64_t>(
      unscatter(static_cast<std::uint64_t>(place.row * ranks() + place.rank)));
}

}  // namespace windrow
