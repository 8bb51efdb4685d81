#ifndef WINDROW_ROW_CACHE_ROW_CACHE_H_
#define WINDROW_ROW_CACHE_ROW_CACHE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "src/row_cache/row_shard.h"
#include "windrow/export.h"
#include "windrow/status.h"

namespace windrow::internal {

struct RowCacheStatistics {
  std::int64_t hits = 0;       // rows that find() copied
  std::int64_t misses = 0;     // rows that find() did not have
  std::int64_t rows = 0;       // rows kept, including those of forgotten tables until they leave
  std::int64_t bytes = 0;      // of those rows
  std::int64_t evictions = 0;  // rows that left for others
};

// When a row of a writable table was read.
struct RowVersion {
  const std::atomic<std::uint64_t>* writes = nullptr;  // null: nobody writes to the table
  std::uint64_t seen = 0;                              // what it was before the read

  bool is_current() const noexcept {
    return writes == nullptr || (seen % 2 == 0 && writes->load() == seen);
  }
};

// Rows of tables that are elsewhere, on disk or on other ranks, kept in a fixed amount of memory.
// Rows of any lengths and of any number of tables share it. A row is known by the number of its
// table and by where it begins there, the byte in a file or any other number from 0 on. It takes 32
// bytes beside its own, and is rounded up to 16; 5 % of the memory is an index. Thread-safe; a lock
// is held while at most RowShard::kMostSamples rows are copied. Exported for windrow::tables and
// windrow::distributed.
//
// A table's writer calls erase() or forget() after it wrote. RowVersion keeps a row that was read
// before the write from being inserted after that.
class RowCache {
 public:
  // A cache that takes at most `bytes` of memory beside this object itself; the system supplies the
  // memory as it is filled. With a small number of bytes no row is kept.
  // Errors: kInvalidArgument (`bytes` is not positive), kOutOfMemory (the system refuses).
  WINDROW_EXPORT static Result<std::shared_ptr<RowCache>> create(std::int64_t bytes);

  RowCache(const RowCache&) = delete;
  RowCache& operator=(const RowCache&) = delete;
  WINDROW_EXPORT ~RowCache();

  // Copies the row that begins at byte offsets[i] of the table to to[i] and sets found[i] to 1, if
  // it is kept and has row_bytes bytes; otherwise sets found[i] to 0. Negative offsets are not
  // found, and are not misses either. `to` and `found` have as many elements as `offsets`.
  // `streams`: whether to copy with non-temporal stores the rows that are suited to them.
  WINDROW_EXPORT void find(std::uint64_t table, std::int64_t row_bytes,
                           std::span<const std::int64_t> offsets, std::span<std::byte* const> to,
                           std::span<std::uint8_t> found, bool streams = false) noexcept;

  // Keeps a row which begins at byte `offset` of the table, in place of an earlier one. An empty
  // row, a negative offset, and a row that is longer than about 80 % of a shard are not kept; nor
  // is one whose version is not current, which is asked under the lock that erase() takes: a writer
  // that has counted before it wrote, and erases after that, leaves no old row.
  WINDROW_EXPORT void insert(std::uint64_t table, std::int64_t offset,
                             std::span<const std::byte> row,
                             const RowVersion& version = {}) noexcept;

  // Forgets the rows, of any length, that begin at these bytes of the table. Rows that begin
  // elsewhere and reach there stay.
  WINDROW_EXPORT void erase(std::uint64_t table, std::span<const std::int64_t> offsets) noexcept;

  // Forgets all rows of a table, and perhaps those of a few other tables, in constant time.
  WINDROW_EXPORT void forget(std::uint64_t table) noexcept;

  WINDROW_EXPORT RowCacheStatistics statistics() const noexcept;

 private:
  struct Batch;

  RowCache(std::byte* memory, std::size_t bytes) noexcept;
  RowShard& shard_of(std::uint64_t hash) const noexcept { return shards_[shard_number(hash)]; }
  std::size_t shard_number(std::uint64_t hash) const noexcept {
    return static_cast<std::size_t>(((hash >> 32) * shard_count_) >> 32);
  }
  void sort_by_shard(const RowQuery& query, std::size_t count, Batch& batch) const noexcept;
  std::size_t find_batch(const RowQuery& query, Batch& batch) noexcept;

  std::byte* memory_;  // null: no row is kept
  std::size_t bytes_;
  std::size_t shard_count_ = 0;
  RowEpochs* epochs_ = nullptr;
  RowShard* shards_ = nullptr;
  std::atomic<std::size_t> turn_ = 0;  // the shard where the next batch begins
  std::atomic<std::int64_t> hits_ = 0;
  std::atomic<std::int64_t> misses_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_ROW_CACHE_ROW_CACHE_H_
