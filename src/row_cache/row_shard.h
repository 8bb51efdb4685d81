#ifndef WINDROW_ROW_CACHE_ROW_SHARD_H_
#define WINDROW_ROW_CACHE_ROW_SHARD_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>

#include "src/row_cache/ghost_list.h"
#include "src/row_cache/row_ring.h"

namespace windrow::internal {

// Numbers that say which rows of a table are still right: an older row was forgotten. Tables share
// the numbers, so that they take the same memory for any number of tables; forgetting one table
// then forgets the few others of the same number.
class RowEpochs {
 public:
  // Below 2^48, which no process lives to reach.
  std::uint64_t of(std::uint64_t table) const noexcept {
    return numbers_[slot(table)].load(std::memory_order_relaxed);
  }
  void forget(std::uint64_t table) noexcept {
    numbers_[slot(table)].fetch_add(1, std::memory_order_relaxed);
  }

 private:
  static constexpr std::size_t kNumbers = 512;
  static std::size_t slot(std::uint64_t table) noexcept { return table % kNumbers; }

  std::array<std::atomic<std::uint64_t>, kNumbers> numbers_ = {};
};

// Of the place of a row. The top bits choose the shard, the low 32 bits the chain.
std::uint64_t row_hash(std::uint64_t table, std::int64_t offset) noexcept;

struct RowKey {
  std::uint64_t table;
  std::int64_t offset;  // the byte of the table where the row begins
  std::uint64_t hash;   // row_hash(table, offset)
  std::uint64_t epoch;
};

// Rows of one table that are looked for. Sample i is the row at offsets[i], whose hash is
// hashes[i].
struct RowQuery {
  std::uint64_t table;
  std::uint64_t epoch;
  std::size_t row_bytes;
  const std::int64_t* offsets;
  const std::uint64_t* hashes;
  std::byte* const* to;  // where each row is copied to
  std::uint8_t* found;   // set to 1 for each row that is copied
  bool streams;          // whether suited rows are copied with non-temporal stores
};

// A part of a RowCache: the rows whose hashes belong to it. Evicts by S3-FIFO (Yang et al., "FIFO
// queues are all you need for cache eviction", SOSP 2023): new rows enter a small queue; those that
// are asked for while they are in it, or soon after they left it, enter the main queue, where rows
// that are asked for get another turn.
//
// The caller holds mutex() during every call.
class alignas(64) RowShard {
 public:
  // The most samples of one find().
  static constexpr std::size_t kMostSamples = 64;

  // `memory`: `bytes` zeros, aligned to 64 bytes, which outlive the shard. At least kLeastBytes.
  // Beyond 64 GiB the rest is unused.
  RowShard(std::byte* memory, std::int64_t bytes, const RowEpochs* epochs) noexcept;
  static constexpr std::int64_t kLeastBytes = 4096;

  std::mutex& mutex() noexcept { return mutex_; }

  // Asks for the memory where find() begins. Needs no lock.
  void prefetch(std::uint64_t hash) const noexcept { __builtin_prefetch(chain(hash), 0, 2); }
  // Copies those of at most kMostSamples samples that are kept; returns their number.
  std::size_t find(const RowQuery& query, std::span<const std::uint16_t> samples) noexcept;
  // Keeps a row in place of what was kept for its key. A row that is longer than the main queue is
  // not kept.
  void insert(const RowKey& key, std::span<const std::byte> row) noexcept;
  void erase(std::uint64_t table, std::int64_t offset) noexcept;

  // Counts include rows of forgotten tables until they leave.
  std::int64_t rows() const noexcept { return rows_; }
  std::int64_t bytes() const noexcept { return bytes_; }
  std::int64_t evictions() const noexcept { return evictions_; }

 private:
  struct Entry;
  // 1 + the number of the unit where an entry begins; 0: the end of a chain.
  using Link = std::uint32_t;

  static std::uint64_t units_for(std::size_t row_bytes) noexcept;
  static std::byte* row_of(Entry& entry) noexcept;
  Entry& at(std::uint64_t unit) const noexcept;
  Link* chain(std::uint64_t hash) const noexcept {
    return heads_ + (((hash & 0xffffffffu) * chains_) >> 32);
  }
  Entry* walk(Link link, std::uint64_t table, std::int64_t offset) const noexcept;
  // The link that leads to the kept entry `unit`.
  Link* link_to(std::uint64_t unit) const noexcept;
  bool is_current(const Entry& entry) const noexcept;
  std::size_t match(const RowQuery& query, std::span<const std::uint16_t> samples, Entry** entries,
                    std::uint16_t* matched) const noexcept;

  void remove(std::uint64_t unit) noexcept;
  void move(std::uint64_t from, std::uint64_t to) noexcept;
  std::uint64_t place_in_small(std::uint64_t units) noexcept;
  std::optional<std::uint64_t> fill_main(std::uint64_t units) noexcept;
  std::uint64_t place_in_main(std::uint64_t units) noexcept;

  std::mutex mutex_;
  const RowEpochs* epochs_;
  Link* heads_;
  std::uint64_t chains_;
  std::byte* units_;
  GhostList ghosts_;
  RowRing small_;
  RowRing main_;
  std::int64_t rows_ = 0;
  std::int64_t bytes_ = 0;
  std::int64_t evictions_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_ROW_CACHE_ROW_SHARD_H_
