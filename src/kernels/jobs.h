#ifndef WINDROW_KERNELS_JOBS_H_
#define WINDROW_KERNELS_JOBS_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "windrow/options.h"

// What kernels are given to do, a struct for each kind of kernel, and the types of their functions.
// Kernels for numbers cannot fail, allocate, throw or print.
namespace windrow::internal {

// ---- Blocks of rows that are moved or combined

// The most rows that are fetched ahead.
inline constexpr std::int64_t kMostAhead = 128;

// A block: `count` rows on the direct side, `direct_step` bytes apart, and the place of each on the
// indirect side: `indirect + offset * unit`. Offsets are u32 or u64; all ones means outside.
struct Block {
  std::byte* direct = nullptr;    // gather: written; scatter: read
  std::byte* indirect = nullptr;  // gather: read; scatter: written
  std::int64_t count = 0;
  std::int64_t direct_step = 0;
  std::int64_t row_bytes = 0;
  std::int64_t unit = 1;  // bytes
  const void* offsets = nullptr;
  bool wide_offsets = false;  // u64 instead of u32
  // Some offset is "outside": a gather writes zeros there, a scatter writes nothing.
  bool any_outside = false;
  // Scatters: row j of the block is row positions[j] of the direct side; null: row j.
  const std::uint32_t* positions = nullptr;
  // How many rows the indirect side is fetched ahead of its use; 0: not at all. `offsets` holds
  // `known` of them, at least `count`: those beyond belong to the next blocks and are only fetched.
  std::int64_t ahead = 0;
  std::int64_t known = 0;
  // Scatters: the direct side is fetched ahead, too.
  bool fetch_updates = false;
  // Gathers: the direct rows are written past the caches, where streams_rows() allows it.
  bool stream = false;
};

// Whether rows of a gather can be written past the caches one by one: 16 bytes at a time, since
// large arrays of NumPy begin 16 bytes behind a cache line. The caller sees to it that no other
// kind of write reaches the same cache lines: that is many times slower than either.
inline bool streams_rows(std::uintptr_t direct, std::int64_t direct_step, std::int64_t row_bytes) {
  return direct % 16 == 0 && direct_step % 16 == 0 && row_bytes % 16 == 0;
}

using BlockFunction = void (*)(const Block& block) noexcept;
// Strings may run out of memory: false.
using StringFunction = bool (*)(const Block& block) noexcept;

// ---- Elements of a table that are taken straight from their indices

// The longest index tuple that these kernels take.
inline constexpr int kMostTuple = 4;
// The largest table that is looked up in registers: what four vectors of 64 bytes hold.
inline constexpr std::int64_t kMostLookupBytes = 256;

// A run of elements with one index, or one index tuple, each. Elements with a coordinate outside
// become zero.
struct TakeRun {
  const std::byte* table = nullptr;
  int length = 1;  // of a tuple
  // Coordinate k lies in [0, extents[k]), which is not empty, and counts steps[k] elements. No
  // element stands 2^32 - 1 or more behind the beginning of the table.
  std::array<std::int64_t, kMostTuple> extents{};
  std::array<std::uint32_t, kMostTuple> steps{1};
  bool wraps = false;                  // negative indices count from the end
  const std::byte* indices = nullptr;  // [count, length], dense, int32 or int64
  // Where the table of each element begins, in elements behind `table`; null: there. Only for one
  // coordinate with a step of 1, and no byte of a table is 2^31 or more behind `table`.
  const std::uint32_t* places = nullptr;
  std::int64_t count = 0;
  std::byte* out = nullptr;  // dense
  bool stream = false;       // writes past the caches
  // How many elements the table is fetched ahead of its use, roughly; 0: not at all.
  std::int64_t ahead = 0;
  // The table of the run after this one, and how much of it is fetched for each element of this
  // run, in 1 / 65536 of a byte; null: there is none.
  const std::byte* next_table = nullptr;
  std::int64_t next_bytes = 0;
};

// Returns whether an index is outside.
using TakeFunction = bool (*)(const TakeRun& run) noexcept;

// Whether the gather instructions of this machine beat single loads: they are many times slower on
// some, by design or by a mitigation. Timed once, in a few microseconds. False where there are
// none.
bool has_fast_gathers() noexcept;

// ---- Planes that are copied

// Rows of bytes, evenly spaced on both sides, which do not overlap.
struct Plane {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::int64_t to_step = 0;
  std::int64_t from_step = 0;
  std::int64_t rows = 1;
  std::int64_t row_bytes = 0;
  // How many rows ahead rows are fetched; 0: not at all. Of `known_rows` rows, those beyond `rows`
  // belong to later planes.
  std::int64_t ahead = 0;
  std::int64_t known_rows = 1;
  bool stream = false;  // writes past the caches, as far as whole cache lines can be written there
};

using PlaneFunction = void (*)(const Plane& plane) noexcept;

// Makes what this thread has streamed visible to others; before a task that streamed ends.
void flush_streams() noexcept;

// ---- Indices that are turned into offsets

// Reads `count` indices, `step` bytes apart, into int64, as index_value gives them.
using LoadFunction = void (*)(const std::byte* indices, std::int64_t step, std::int64_t count,
                              std::int64_t* out) noexcept;

// One addressed axis over runs of points, single index term, no loop in the coordinate. Arithmetic
// on offsets is modulo 2^32 or 2^64.
struct OffsetRun {
  const void* indices = nullptr;  // int32 or int64, of the first run's first point
  std::int64_t count = 0;         // points of each run
  std::int64_t runs = 1;
  std::int64_t run_step = 0;  // bytes from one run's indices to the next one's
  // How many runs ahead indices are fetched; 0: not at all. Of `known_runs` runs, at least `runs`,
  // those beyond belong to later calls.
  std::int64_t ahead = 0;
  std::int64_t known_runs = 1;
  std::int64_t extent = 0;
  bool wraps = false;            // negative indices count from the end
  std::uint64_t multiplier = 0;  // units per coordinate
  // Offset j of every run is `start`, the axis and, not `accumulate`, j * lane_step, else what is
  // there. The offsets of the runs follow one another.
  bool accumulate = false;
  std::uint64_t start = 0;
  std::uint64_t lane_step = 0;
  void* offsets = nullptr;
  bool wide_offsets = false;
  OutOfRange policy = OutOfRange::kError;
};

enum : unsigned {
  kIndexBad = 1,      // kError: an index is outside; its offset is meaningless
  kIndexOutside = 2,  // kZero, kSkip: an offset is all ones
};

// Returns kIndex* flags.
using OffsetFunction = unsigned (*)(const OffsetRun& run) noexcept;

// Keeps the offsets in [low, high) and their positions in the block; returns how many. The buffers
// for them have room for `count`, all of which may be written.
using SelectFunction = std::int64_t (*)(const void* offsets, bool wide, std::int64_t count,
                                        std::uint64_t low, std::uint64_t high, void* kept_offsets,
                                        std::uint32_t* kept_positions) noexcept;

// ---- Indices that are only looked at

// Whether all of `count` dense indices lie in [low, high].
using WithinFunction = bool (*)(const std::byte* indices, std::int64_t count, std::int64_t low,
                                std::int64_t high) noexcept;

// Runs of indices, int32 or int64, each dense.
struct ConstantRuns {
  const std::byte* indices = nullptr;
  std::int64_t count = 0;  // of each run
  std::int64_t runs = 0;
  std::int64_t run_step = 0;    // bytes
  std::byte* values = nullptr;  // gets the first index of each run
};

// Whether every run holds one value only.
using ConstantFunction = bool (*)(const ConstantRuns& look) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_KERNELS_JOBS_H_
