// The limits of reading: elements at ready-made offsets, or all in order, are loaded and summed,
// or, for a scatter at offsets, read, changed and written back, and nothing else is done. Loaded by
// bench/peers/memory_reads.py, whose Job mirrors the one here.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "bench/team.h"
#include "windrow/export.h"

namespace windrow::bench {
namespace {

// rows: row_bytes each, aligned as their words of at most 8 bytes.
// offsets: in rows, offset_bytes each; null: rows of 8 bytes are read, not written, in order.
// distance: rows between an access and the prefetch before it; 0: no prefetch.
// writes: whether a row's words are read, increased by one and written, and not summed.
struct Job {
  void* rows;
  const void* offsets;
  std::uint64_t count;
  std::uint64_t distance;
  std::uint32_t row_bytes;
  std::uint32_t offset_bytes;
  std::uint32_t writes;
};

// What the words at one row add to the sum of those read.
template <class Word, std::size_t kWords, bool kWrites>
inline std::uint64_t visit_row(Word* row) {
  std::uint64_t sum = 0;
  for (std::size_t word = 0; word < kWords; ++word) {
    if constexpr (kWrites) {
      // Threads may meet in a cell. Relaxed and in two steps, this costs what plain access does.
      const std::atomic_ref<Word> cell(row[word]);
      const Word value = cell.load(std::memory_order_relaxed);
      cell.store(static_cast<Word>(value + 1), std::memory_order_relaxed);
    } else {
      sum += row[word];
    }
  }
  return sum;
}

template <class Word, std::size_t kWords, class Offset, bool kWrites>
std::uint64_t visit(const void* context, Range range) {
  const Job& job = *static_cast<const Job*>(context);
  Word* const rows = static_cast<Word*>(job.rows);
  const Offset* const offsets = static_cast<const Offset*>(job.offsets);
  const std::size_t distance = job.distance;
  const std::size_t ahead = std::min(distance, range.end - range.begin);
  const std::size_t fetching_end = distance == 0 ? range.begin : range.end - ahead;
  std::uint64_t sum = 0;
  std::size_t i = range.begin;
#pragma GCC unroll 8
  for (; i < fetching_end; ++i) {
    __builtin_prefetch(rows + std::size_t{offsets[i + distance]} * kWords, kWrites ? 1 : 0);
    sum += visit_row<Word, kWords, kWrites>(rows + std::size_t{offsets[i]} * kWords);
  }
#pragma GCC unroll 8
  for (; i < range.end; ++i)
    sum += visit_row<Word, kWords, kWrites>(rows + std::size_t{offsets[i]} * kWords);
  return sum;
}

std::uint64_t visit_in_order(const void* context, Range range) {
  const Job& job = *static_cast<const Job*>(context);
  constexpr std::size_t kLine = 8;
  const auto* const rows = static_cast<const std::uint64_t*>(job.rows);
  std::uint64_t sum = 0;
  std::size_t i = range.begin;
  for (; i + kLine <= range.end; i += kLine) {
    if (job.distance > 0) __builtin_prefetch(rows + i + job.distance);
    for (std::size_t word = 0; word < kLine; ++word) sum += rows[i + word];
  }
  for (; i < range.end; ++i) sum += rows[i];
  return sum;
}

template <class Word, std::size_t kWords>
Team::Visit find_visit(const Job& job) {
  if (job.offset_bytes == 4)
    return job.writes ? visit<Word, kWords, std::uint32_t, true>
                      : visit<Word, kWords, std::uint32_t, false>;
  if (job.offset_bytes == 8)
    return job.writes ? visit<Word, kWords, std::uint64_t, true>
                      : visit<Word, kWords, std::uint64_t, false>;
  return nullptr;
}

Team::Visit find_visit(const Job& job) {
  if (job.offsets == nullptr) return job.row_bytes == 8 && !job.writes ? visit_in_order : nullptr;
  switch (job.row_bytes) {
    case 1:
      return find_visit<std::uint8_t, 1>(job);
    case 2:
      return find_visit<std::uint16_t, 1>(job);
    case 4:
      return find_visit<std::uint32_t, 1>(job);
    case 8:
      return find_visit<std::uint64_t, 1>(job);
    case 16:
      return find_visit<std::uint64_t, 2>(job);
    default:
      return nullptr;
  }
}

}  // namespace
}  // namespace windrow::bench

extern "C" {

WINDROW_EXPORT void* random_reads_new_team(std::uint32_t threads) {
  return new windrow::bench::Team(threads);
}

WINDROW_EXPORT void random_reads_delete_team(void* team) {
  delete static_cast<windrow::bench::Team*>(team);
}

// The sum of the words read, modulo 2^64, into *sum. False: there is no loop for these sizes.
WINDROW_EXPORT bool random_reads_run(void* team, const windrow::bench::Job* job,
                                     std::uint64_t* sum) {
  const windrow::bench::Team::Visit visit = windrow::bench::find_visit(*job);
  if (visit == nullptr) return false;
  *sum = static_cast<windrow::bench::Team*>(team)->run(job, job->count, visit);
  return true;
}
}
