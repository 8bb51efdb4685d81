// The limits of random rows: rows of any size at ready-made offsets are touched, overwritten, or
// read, increased by a row of updates and written back, and nothing else is done. Loaded by
// bench/draws/row_accesses.py, whose Job mirrors the one here.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "bench/team.h"
#include "windrow/export.h"

namespace windrow::bench {
namespace {

constexpr std::size_t kLine = 64;

// What is done to each row. The numbers are those of row_accesses.py.
enum class Access : std::uint32_t {
  kTouch = 0,  // a byte of each cache line is read
  kStore = 1,  // the row of updates is copied over it
  kAdd8 = 2,   // the row of updates is added to it, in integers of 8 to 64 bits or in floats
  kAdd16 = 3,
  kAdd32 = 4,
  kAdd64 = 5,
  kAddFloat32 = 6,
  kAddFloat64 = 7,
};

// rows: row_bytes each, aligned as their elements; written unless `access` is kTouch.
// offsets: in rows. updates: a row per offset, in order; null for kTouch.
// distance: rows between an access and the prefetch before it; 0: no prefetch.
struct Job {
  std::byte* rows;
  const std::uint32_t* offsets;
  const std::byte* updates;
  std::uint64_t count;
  std::uint64_t distance;
  std::uint64_t row_bytes;
  Access access;
};

struct Touch {
  static std::uint64_t visit(const std::byte* row, const std::byte* /*update*/, std::size_t bytes) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at < bytes; at += kLine) sum += static_cast<std::uint64_t>(row[at]);
    return sum + static_cast<std::uint64_t>(row[bytes - 1]);
  }
};

struct Store {
  static std::uint64_t visit(std::byte* row, const std::byte* update, std::size_t bytes) {
    std::memcpy(row, update, bytes);
    return 0;
  }
};

// Threads may meet in a row and then lose a sum; nobody reads it.
template <class Element>
struct Add {
  static std::uint64_t visit(std::byte* row, const std::byte* update, std::size_t bytes) {
    auto* const __restrict to = reinterpret_cast<Element*>(row);
    const auto* const __restrict from = reinterpret_cast<const Element*>(update);
    const std::size_t count = bytes / sizeof(Element);
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<Element>(to[i] + from[i]);
    return 0;
  }
};

void prefetch_row(const std::byte* row, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += kLine) __builtin_prefetch(row + at, 1);
}

// kRowBytes: the size of a row where it is known to the compiler; 0: job.row_bytes.
template <class Operation, std::size_t kRowBytes>
std::uint64_t visit(const void* context, Range range) {
  const Job& job = *static_cast<const Job*>(context);
  const std::size_t bytes = kRowBytes > 0 ? kRowBytes : static_cast<std::size_t>(job.row_bytes);
  const auto row = [&](std::size_t i) { return job.rows + std::size_t{job.offsets[i]} * bytes; };
  const auto update = [&](std::size_t i) { return job.updates + i * bytes; };
  const std::size_t ahead = std::min<std::size_t>(job.distance, range.end - range.begin);
  const std::size_t fetching_end = ahead == 0 ? range.begin : range.end - ahead;
  std::uint64_t sum = 0;
  std::size_t i = range.begin;
  for (; i < fetching_end; ++i) {
    prefetch_row(row(i + ahead), bytes);
    sum += Operation::visit(row(i), update(i), bytes);
  }
  for (; i < range.end; ++i) sum += Operation::visit(row(i), update(i), bytes);
  return sum;
}

template <class Operation>
Team::Visit find_visit(std::size_t row_bytes) {
  switch (row_bytes) {
    case 1:
      return visit<Operation, 1>;
    case 2:
      return visit<Operation, 2>;
    case 4:
      return visit<Operation, 4>;
    case 8:
      return visit<Operation, 8>;
    case 16:
      return visit<Operation, 16>;
    default:
      return visit<Operation, 0>;
  }
}

Team::Visit find_visit(const Job& job) {
  switch (job.access) {
    case Access::kTouch:
      return find_visit<Touch>(job.row_bytes);
    case Access::kStore:
      return find_visit<Store>(job.row_bytes);
    case Access::kAdd8:
      return find_visit<Add<std::uint8_t>>(job.row_bytes);
    case Access::kAdd16:
      return find_visit<Add<std::uint16_t>>(job.row_bytes);
    case Access::kAdd32:
      return find_visit<Add<std::uint32_t>>(job.row_bytes);
    case Access::kAdd64:
      return find_visit<Add<std::uint64_t>>(job.row_bytes);
    case Access::kAddFloat32:
      return find_visit<Add<float>>(job.row_bytes);
    case Access::kAddFloat64:
      return find_visit<Add<double>>(job.row_bytes);
  }
  return nullptr;
}

}  // namespace
}  // namespace windrow::bench

extern "C" {

// team: of random_reads_new_team(). *sum: of the bytes touched, modulo 2^64. Returns false for an
// unknown access or rows of no bytes.
WINDROW_EXPORT bool random_updates_run(void* team, const windrow::bench::Job* job,
                                       std::uint64_t* sum) {
  const windrow::bench::Team::Visit visit =
      job->row_bytes == 0 ? nullptr : windrow::bench::find_visit(*job);
  if (visit == nullptr) return false;
  *sum = static_cast<windrow::bench::Team*>(team)->run(job, job->count, visit);
  return true;
}
}
