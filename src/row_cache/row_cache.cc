#include "src/row_cache/row_cache.h"

#include <algorithm>
#include <array>
#include <bit>
#include <new>
#include <string>

#include "src/base/memory.h"
#include "src/base/system.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kMostShards = 16;
constexpr std::size_t kLeastShard = std::size_t{4} << 20;  // if there is more than one

// Samples are sorted by shard in batches of this number.
constexpr std::size_t kBatch = 1024;

// With less memory no row is kept.
constexpr std::size_t kLeastMemory = std::size_t{64} << 10;
constexpr std::size_t kEpochBytes = sizeof(RowEpochs);
static_assert(kEpochBytes + sizeof(RowShard) + RowShard::kLeastBytes + kLine <= kLeastMemory);

std::size_t shards_for(std::size_t bytes) {
  if (bytes < kLeastMemory) return 0;
  return std::clamp(std::bit_floor(bytes / kLeastShard + 1), std::size_t{1}, kMostShards);
}

}  // namespace

// The samples of a batch, sorted by shard.
struct RowCache::Batch {
  std::array<std::uint64_t, kBatch> hashes;
  std::array<std::uint16_t, kBatch> order;
  // Of each shard the part of `order` that is still to be looked for.
  std::array<std::uint16_t, kMostShards> next;
  std::array<std::uint16_t, kMostShards> end;
};

Result<std::shared_ptr<RowCache>> RowCache::create(std::int64_t bytes) {
  if (bytes <= 0)
    return Status(ErrorCode::kInvalidArgument,
                  "the bytes of a cache must be at least 1, got " + std::to_string(bytes));
  const std::size_t page = page_bytes();
  const std::size_t mapped = static_cast<std::size_t>(bytes) / page * page;
  void* memory = nullptr;
  if (shards_for(mapped) != 0) {
    memory = map_pages(mapped);
    if (memory == nullptr)
      return Status(ErrorCode::kOutOfMemory,
                    "not enough memory for a cache of " + std::to_string(bytes) + " bytes");
    prefer_huge_pages(memory, mapped);
  }
  auto* cache = new (std::nothrow) RowCache(static_cast<std::byte*>(memory), mapped);
  if (cache == nullptr) {
    if (memory != nullptr) unmap_pages(memory, mapped);
    return Status(ErrorCode::kOutOfMemory, "not enough memory for a cache");
  }
  try {
    return std::shared_ptr<RowCache>(cache);
  } catch (const std::bad_alloc&) {  // `cache` is gone
    return Status(ErrorCode::kOutOfMemory, "not enough memory for a cache");
  }
}

RowCache::RowCache(std::byte* memory, std::size_t bytes) noexcept : memory_(memory), bytes_(bytes) {
  if (memory_ == nullptr) return;
  shard_count_ = shards_for(bytes_);
  epochs_ = new (memory_) RowEpochs;
  std::byte* place = memory_ + kEpochBytes;
  shards_ = reinterpret_cast<RowShard*>(place);
  place += shard_count_ * sizeof(RowShard);
  const auto rest = static_cast<std::size_t>(memory_ + bytes_ - place);
  const std::size_t each = rest / shard_count_ / kLine * kLine;
  for (std::size_t k = 0; k < shard_count_; ++k)
    new (shards_ + k) RowShard(place + k * each, static_cast<std::int64_t>(each), epochs_);
}

RowCache::~RowCache() {
  if (memory_ == nullptr) return;
  std::destroy_n(shards_, shard_count_);
  std::destroy_at(epochs_);
  unmap_pages(memory_, bytes_);
}

void RowCache::sort_by_shard(const RowQuery& query, std::size_t count,
                             Batch& batch) const noexcept {
  std::array<std::uint16_t, kMostShards> counts = {};
  for (std::size_t i = 0; i < count; ++i) {
    query.found[i] = 0;
    if (query.offsets[i] < 0) continue;
    const std::uint64_t hash = row_hash(query.table, query.offsets[i]);
    batch.hashes[i] = hash;
    const std::size_t shard = shard_number(hash);
    shards_[shard].prefetch(hash);
    ++counts[shard];
  }
  std::uint16_t sum = 0;
  for (std::size_t k = 0; k < shard_count_; ++k) {
    batch.next[k] = batch.end[k] = sum;
    sum = static_cast<std::uint16_t>(sum + counts[k]);
  }
  for (std::size_t i = 0; i < count; ++i)
    if (query.offsets[i] >= 0)
      batch.order[batch.end[shard_number(batch.hashes[i])]++] = static_cast<std::uint16_t>(i);
}

// Goes around the shards, a few samples each time, and passes over those that other threads hold
// until there is nothing else to do. Returns the number of rows found.
std::size_t RowCache::find_batch(const RowQuery& query, Batch& batch) noexcept {
  const std::size_t first = turn_.fetch_add(1, std::memory_order_relaxed);
  std::size_t hits = 0;
  bool waits = false;
  for (bool is_done = false; !is_done;) {
    is_done = true;
    bool advanced = false;
    for (std::size_t k = 0; k < shard_count_; ++k) {
      const std::size_t shard = (first + k) % shard_count_;
      const std::size_t left = std::size_t{batch.end[shard]} - batch.next[shard];
      if (left == 0) continue;
      is_done = false;
      std::unique_lock lock(shards_[shard].mutex(), std::defer_lock);
      if (waits) {
        lock.lock();
      } else if (!lock.try_lock()) {
        continue;
      }
      advanced = true;
      waits = false;
      const std::size_t samples = std::min(left, RowShard::kMostSamples);
      hits += shards_[shard].find(query, {batch.order.data() + batch.next[shard], samples});
      batch.next[shard] = static_cast<std::uint16_t>(batch.next[shard] + samples);
    }
    waits = !advanced;
  }
  return hits;
}

void RowCache::find(std::uint64_t table, std::int64_t row_bytes,
                    std::span<const std::int64_t> offsets, std::span<std::byte* const> to,
                    std::span<std::uint8_t> found, bool streams) noexcept {
  const auto asked = std::count_if(offsets.begin(), offsets.end(),
                                   [](std::int64_t offset) { return offset >= 0; });
  std::size_t hits = 0;
  if (memory_ == nullptr || row_bytes <= 0) {
    std::fill(found.begin(), found.end(), std::uint8_t{0});
  } else {
    Batch batch;
    const std::uint64_t epoch = epochs_->of(table);
    for (std::size_t begin = 0; begin < offsets.size(); begin += kBatch) {
      const std::size_t count = std::min(kBatch, offsets.size() - begin);
      const RowQuery query = {table,
                              epoch,
                              static_cast<std::size_t>(row_bytes),
                              offsets.data() + begin,
                              batch.hashes.data(),
                              to.data() + begin,
                              found.data() + begin,
                              streams};
      sort_by_shard(query, count, batch);
      hits += find_batch(query, batch);
    }
  }
  hits_.fetch_add(static_cast<std::int64_t>(hits), std::memory_order_relaxed);
  misses_.fetch_add(asked - static_cast<std::int64_t>(hits), std::memory_order_relaxed);
}

void RowCache::insert(std::uint64_t table, std::int64_t offset, std::span<const std::byte> row,
                      const RowVersion& version) noexcept {
  if (memory_ == nullptr || offset < 0 || row.empty()) return;
  const std::uint64_t hash = row_hash(table, offset);
  RowShard& shard = shard_of(hash);
  const std::lock_guard lock(shard.mutex());
  if (version.is_current()) shard.insert({table, offset, hash, epochs_->of(table)}, row);
}

void RowCache::erase(std::uint64_t table, std::span<const std::int64_t> offsets) noexcept {
  if (memory_ == nullptr) return;
  for (const std::int64_t offset : offsets) {
    RowShard& shard = shard_of(row_hash(table, offset));
    const std::lock_guard lock(shard.mutex());
    shard.erase(table, offset);
  }
}

void RowCache::forget(std::uint64_t table) noexcept {
  if (memory_ != nullptr) epochs_->forget(table);
}

RowCacheStatistics RowCache::statistics() const noexcept {
  RowCacheStatistics sum;
  sum.hits = hits_.load(std::memory_order_relaxed);
  sum.misses = misses_.load(std::memory_order_relaxed);
  for (std::size_t k = 0; k < shard_count_; ++k) {
    const std::lock_guard lock(shards_[k].mutex());
    sum.rows += shards_[k].rows();
    sum.bytes += shards_[k].bytes();
    sum.evictions += shards_[k].evictions();
  }
  return sum;
}

}  // namespace windrow::internal
