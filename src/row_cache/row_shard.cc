#include "src/row_cache/row_shard.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "src/base/memory.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace windrow::internal {
namespace {

// Entries begin at, and take, whole units.
constexpr std::uint64_t kUnit = 16;
constexpr std::uint64_t kMostUnits = std::numeric_limits<std::uint32_t>::max();

// Of a shard's bytes there is a chain for each kChainBytes, and a group of ghosts for each
// kGhostBytes. The small queue is one kSmallPart-th of the rest.
constexpr std::int64_t kChainBytes = 128;
constexpr std::int64_t kGhostBytes = 1024;
constexpr std::uint64_t kSmallPart = 10;

constexpr std::uint64_t kEpochMask = (std::uint64_t{1} << 48) - 1;

// Further requests for a row count no more.
constexpr std::uint64_t kMostCount = 3;
// The requests for a row in the small queue that take it to the main queue.
constexpr std::uint64_t kPromoted = 1;
// The rows that get another turn before one has to leave: bounds the time of an insertion.
constexpr int kMostTurns = 64;

// While one row is copied, the lines of rows up to this many bytes ahead are prefetched, of each
// row at most its first kMostFetched bytes; the hardware prefetcher follows longer rows.
constexpr std::size_t kAhead = 4096;
constexpr std::size_t kMostFetched = 1024;

// The shortest rows that are streamed where they share their first and last lines with others:
// these are not copied directly before and after.
constexpr std::size_t kLeastStreamedApart = 1024;

constexpr std::int64_t chains_for(std::int64_t bytes) { return bytes / kChainBytes; }
constexpr std::int64_t ghosts_for(std::int64_t bytes) { return bytes / kGhostBytes; }

constexpr std::int64_t chain_bytes(std::int64_t bytes) {
  return whole_lines(chains_for(bytes) * static_cast<std::int64_t>(sizeof(std::uint32_t)));
}

constexpr std::int64_t index_bytes(std::int64_t bytes) {
  return chain_bytes(bytes) + whole_lines(ghosts_for(bytes) * GhostList::kGroupBytes);
}

constexpr std::uint64_t all_units(std::int64_t bytes) {
  return std::min(static_cast<std::uint64_t>(bytes - index_bytes(bytes)) / kUnit, kMostUnits);
}

constexpr std::uint64_t small_units(std::int64_t bytes) { return all_units(bytes) / kSmallPart; }
constexpr std::uint64_t main_units(std::int64_t bytes) {
  return all_units(bytes) - small_units(bytes);
}

void prefetch_row(const std::byte* row, std::size_t bytes) {
  const std::byte* end = row + std::min(bytes, kMostFetched);
  for (; row < end; row += kLine) __builtin_prefetch(row, 0, 2);
  __builtin_prefetch(end - 1, 0, 2);
}

// Copies a row with non-temporal stores, where the processor has them and the row is suited.
void stream_row(std::byte* to, const std::byte* from, std::size_t bytes) {
#ifdef __SSE2__
  constexpr std::size_t kVector = sizeof(__m128i);
  const std::size_t multiple = bytes < kLeastStreamedApart ? kLine : kVector;
  if ((reinterpret_cast<std::uintptr_t>(to) | bytes) % multiple == 0) {
    for (std::size_t at = 0; at < bytes; at += kVector)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + at),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at)));
    return;
  }
#endif
  std::memcpy(to, from, bytes);
}

// Other threads may read what was streamed once they know, by ordinary means, that it is there.
void finish_streams() {
#ifdef __SSE2__
  _mm_sfence();
#endif
}

}  // namespace

// The head of an entry; the row follows.
struct RowShard::Entry {
  std::uint64_t table;
  std::int64_t offset;
  std::uint32_t bytes;        // of the row
  Link next;                  // of the chain
  std::uint64_t epoch : 48;   // with kEpochMask
  std::uint64_t count : 8;    // requests since it entered its queue, at most kMostCount
  std::uint64_t is_kept : 8;  // 0: it is in no chain, and its units are free once it is the oldest
};

std::uint64_t row_hash(std::uint64_t table, std::int64_t offset) noexcept {
  // The finaliser of MurmurHash3, after a multiplication that keeps tables apart.
  std::uint64_t hash = static_cast<std::uint64_t>(offset) ^ (table * 0x9e3779b97f4a7c15u);
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccdu;
  hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53u;
  return hash ^ (hash >> 33);
}

RowShard::RowShard(std::byte* memory, std::int64_t bytes, const RowEpochs* epochs) noexcept
    : epochs_(epochs),
      heads_(reinterpret_cast<Link*>(memory)),
      chains_(static_cast<std::uint64_t>(chains_for(bytes))),
      units_(memory + index_bytes(bytes)),
      ghosts_(reinterpret_cast<std::uint32_t*>(memory + chain_bytes(bytes)),
              static_cast<std::uint64_t>(ghosts_for(bytes)), main_units(bytes)),
      small_(0, small_units(bytes)),
      main_(small_units(bytes), main_units(bytes)) {}

std::uint64_t RowShard::units_for(std::size_t row_bytes) noexcept {
  return (sizeof(Entry) + row_bytes + kUnit - 1) / kUnit;
}

std::byte* RowShard::row_of(Entry& entry) noexcept {
  return reinterpret_cast<std::byte*>(&entry) + sizeof(Entry);
}

RowShard::Entry& RowShard::at(std::uint64_t unit) const noexcept {
  return *reinterpret_cast<Entry*>(units_ + unit * kUnit);
}

RowShard::Entry* RowShard::walk(Link link, std::uint64_t table,
                                std::int64_t offset) const noexcept {
  while (link != 0) {
    Entry& entry = at(link - 1);
    if (entry.offset == offset && entry.table == table) return &entry;
    link = entry.next;
  }
  return nullptr;
}

RowShard::Link* RowShard::link_to(std::uint64_t unit) const noexcept {
  const Entry& entry = at(unit);
  Link* link = chain(row_hash(entry.table, entry.offset));
  while (*link != unit + 1) link = &at(*link - 1).next;
  return link;
}

bool RowShard::is_current(const Entry& entry) const noexcept {
  return entry.is_kept != 0 && entry.epoch == epochs_->of(entry.table);
}

// Goes a step along the chains of all samples at a time, so that their cache misses overlap.
std::size_t RowShard::match(const RowQuery& query, std::span<const std::uint16_t> samples,
                            Entry** entries, std::uint16_t* matched) const noexcept {
  std::array<Link, kMostSamples> links;
  std::array<std::uint16_t, kMostSamples> left;
  std::size_t walking = 0;
  const auto step = [&](Link link, std::uint16_t sample) {
    if (link == 0) return;
    __builtin_prefetch(&at(link - 1), 1, 3);
    links[walking] = link;
    left[walking++] = sample;
  };
  for (const std::uint16_t sample : samples) step(*chain(query.hashes[sample]), sample);
  std::size_t matches = 0;
  while (walking > 0) {
    const std::size_t count = std::exchange(walking, 0);
    for (std::size_t k = 0; k < count; ++k) {
      Entry& entry = at(links[k] - 1);
      if (entry.offset != query.offsets[left[k]] || entry.table != query.table) {
        step(entry.next, left[k]);
      } else if (entry.bytes == query.row_bytes && entry.epoch == query.epoch) {
        entries[matches] = &entry;
        matched[matches++] = left[k];
      }
    }
  }
  return matches;
}

std::size_t RowShard::find(const RowQuery& query, std::span<const std::uint16_t> samples) noexcept {
  std::array<Entry*, kMostSamples> entries;
  std::array<std::uint16_t, kMostSamples> matched;
  const std::size_t matches = match(query, samples, entries.data(), matched.data());
  const std::size_t ahead = std::clamp<std::size_t>(kAhead / query.row_bytes, 1, 16);
  for (std::size_t k = 0; k < std::min(ahead, matches); ++k)
    prefetch_row(row_of(*entries[k]), query.row_bytes);
  for (std::size_t k = 0; k < matches; ++k) {
    if (k + ahead < matches) prefetch_row(row_of(*entries[k + ahead]), query.row_bytes);
    Entry& entry = *entries[k];
    if (entry.count < kMostCount) ++entry.count;
    if (query.streams) {
      stream_row(query.to[matched[k]], row_of(entry), query.row_bytes);
    } else {
      std::memcpy(query.to[matched[k]], row_of(entry), query.row_bytes);
    }
    query.found[matched[k]] = 1;
  }
  if (query.streams) finish_streams();
  return matches;
}

void RowShard::insert(const RowKey& key, std::span<const std::byte> row) noexcept {
  Link* head = chain(key.hash);
  if (Entry* entry = walk(*head, key.table, key.offset)) {
    if (entry->bytes == row.size()) {
      entry->epoch = key.epoch & kEpochMask;
      std::memcpy(row_of(*entry), row.data(), row.size());
      return;
    }
    erase(key.table, key.offset);
  }
  const std::uint64_t units = units_for(row.size());
  if (units > main_.size() || row.size() > std::numeric_limits<std::uint32_t>::max()) return;
  const bool is_known = ghosts_.take(key.hash);
  const std::uint64_t unit =
      is_known || units > small_.size() ? place_in_main(units) : place_in_small(units);
  Entry& entry = at(unit);
  entry = {
      key.table, key.offset, static_cast<std::uint32_t>(row.size()), *head, key.epoch & kEpochMask,
      0,         1};
  std::memcpy(row_of(entry), row.data(), row.size());
  *head = static_cast<Link>(unit + 1);
  ++rows_;
  bytes_ += entry.bytes;
}

void RowShard::erase(std::uint64_t table, std::int64_t offset) noexcept {
  const Entry* entry = walk(*chain(row_hash(table, offset)), table, offset);
  if (entry == nullptr) return;
  const auto distance = reinterpret_cast<const std::byte*>(entry) - units_;
  remove(static_cast<std::uint64_t>(distance) / kUnit);
}

// Takes a kept entry out of its chain. Its units stay in use until it is the oldest of its queue.
void RowShard::remove(std::uint64_t unit) noexcept {
  Entry& entry = at(unit);
  *link_to(unit) = entry.next;
  entry.is_kept = 0;
  --rows_;
  bytes_ -= entry.bytes;
}

// Moves a kept entry to units which may overlap its own.
void RowShard::move(std::uint64_t from, std::uint64_t to) noexcept {
  *link_to(from) = static_cast<Link>(to + 1);
  Entry& entry = at(from);
  std::memmove(&at(to), &entry, sizeof(Entry) + entry.bytes);
}

std::uint64_t RowShard::place_in_small(std::uint64_t units) noexcept {
  for (;;) {
    if (const std::optional<std::uint64_t> place = small_.place(units)) return *place;
    const std::uint64_t unit = small_.oldest();
    Entry& entry = at(unit);
    const std::uint64_t its_units = units_for(entry.bytes);
    const bool current = is_current(entry);
    std::optional<std::uint64_t> to;
    if (current) to = entry.count >= kPromoted ? place_in_main(its_units) : fill_main(its_units);
    if (to.has_value()) {
      entry.count = 0;
      move(unit, *to);
    } else if (entry.is_kept != 0) {
      if (current) {
        ghosts_.add(row_hash(entry.table, entry.offset), its_units);
        ++evictions_;
      }
      remove(unit);
    }
    small_.drop_oldest(its_units);
  }
}

// Room in the main queue for a row that nobody asked for, in place of no other row: until the main
// queue is full for the first time, and where erased and forgotten rows are its oldest.
std::optional<std::uint64_t> RowShard::fill_main(std::uint64_t units) noexcept {
  while (!main_.empty() && !is_current(at(main_.oldest()))) {
    const std::uint64_t unit = main_.oldest();
    if (at(unit).is_kept != 0) remove(unit);
    main_.drop_oldest(units_for(at(unit).bytes));
  }
  return main_.place(units);
}

std::uint64_t RowShard::place_in_main(std::uint64_t units) noexcept {
  int turns = 0;
  for (;;) {
    if (const std::optional<std::uint64_t> place = main_.place(units)) return *place;
    const std::uint64_t unit = main_.oldest();
    Entry& entry = at(unit);
    const std::uint64_t its_units = units_for(entry.bytes);
    main_.drop_oldest(its_units);
    const bool current = is_current(entry);
    if (current && entry.count > 0 && turns < kMostTurns) {
      ++turns;
      --entry.count;
      move(unit, *main_.place(its_units));
    } else if (entry.is_kept != 0) {
      evictions_ += current ? 1 : 0;
      remove(unit);
    }
  }
}

}  // namespace windrow::internal
