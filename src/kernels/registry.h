#ifndef WINDROW_KERNELS_REGISTRY_H_
#define WINDROW_KERNELS_REGISTRY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "windrow/dtype.h"
#include "windrow/options.h"

// Names and traits of all kernels, made from kernels.inc, and the tables of their functions, one
// per instruction set. Kernels for numbers cannot fail, allocate, throw or print.
namespace windrow::internal {

// ---- Kernels that move or combine one block of rows
// --------------------------------------------------

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
  // How many rows the indirect side is fetched ahead of its use; 0: not at all. `known` offsets
  // stand at `offsets`, at least `count`: those beyond belong to the next blocks and are only
  // fetched.
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

enum class Family : std::uint8_t { kCopyRows, kTakeElements, kAssign, kReduce };

// The arithmetic of a reduction; kNone moves bytes.
enum class Fold : std::uint8_t { kNone, kAdd, kSub, kMul, kMin, kMax };

enum class BlockKernel : std::uint16_t {
#define WINDROW_BLOCK_KERNEL(name, family, low, high, dtype, fold, function) name,
#include "src/kernels/kernels.inc"
#undef WINDROW_BLOCK_KERNEL
  kCount
};

struct BlockKernelRow {
  std::string_view name;
  Family family;
  std::int64_t low;   // row bytes it takes, inclusive
  std::int64_t high;  // inclusive
  DType dtype;        // kReduce; else kAbsent
  Fold fold;
};

// One row per BlockKernel, in its order.
std::span<const BlockKernelRow> block_kernel_rows() noexcept;

// The first row of the family that takes such rows, or nothing.
struct KernelQuery {
  Family family;
  std::int64_t row_bytes;
  DType dtype = DType::kAbsent;
  Fold fold = Fold::kNone;
};
BlockKernel find_block_kernel(const KernelQuery& query) noexcept;  // kCount: there is none

// Strings, compiled once: by fold; scatter = false only with kNone; null: no such reduction.
StringFunction find_string_kernel(bool scatter, Fold fold) noexcept;

// ---- Kernels that take elements of a table straight from their indices
// ---------------------------------------------------------------------------------------

// A run of elements. Those whose index is outside [0, extent) become zero.
struct TakeRun {
  const std::byte* table = nullptr;  // `extent` elements, dense
  std::int64_t extent = 0;
  bool wraps = false;                  // negative indices count from the end
  const std::byte* indices = nullptr;  // `count`, dense, int32 or int64
  std::int64_t count = 0;
  std::byte* out = nullptr;  // dense
  bool stream = false;       // writes past the caches
  // The elements that come so far behind are fetched; 0: none are.
  std::int64_t ahead = 0;
  // The table of the run after this one, fetched meanwhile; null: there is none.
  const std::byte* next_table = nullptr;
  // Only for the `placed` kernels, whose tables are many: where the table of each element begins,
  // in elements behind `table`; no byte of one is 2^31 or more behind it. And how much of
  // `next_table` is fetched for each element, in 1 / 65536 of a byte.
  const std::uint32_t* places = nullptr;
  std::int64_t next_bytes = 0;
};

// Whether the gather instructions of this machine beat single loads: they are many times slower on
// some, by design or by a mitigation. Timed once, in a few microseconds. False where there are
// none.
bool has_fast_gathers() noexcept;

// What four vectors of 64 bytes hold.
inline constexpr std::int64_t kMostLookupBytes = 256;

// Returns whether an index is outside.
using TakeFunction = bool (*)(const TakeRun& run) noexcept;

// The longest index tuple that the next kernels take.
inline constexpr int kMostTuple = 4;

// A run of elements with an index tuple each. Those with a coordinate outside become zero.
struct TupleRun {
  const std::byte* table = nullptr;
  int length = 1;  // of a tuple
  // Coordinate k lies in [0, extents[k]) and counts steps[k] elements; these sum up to less than
  // 2^32.
  std::array<std::int64_t, kMostTuple> extents{};
  std::array<std::uint32_t, kMostTuple> steps{};
  bool wraps = false;                  // negative indices count from the end
  const std::byte* indices = nullptr;  // [count, length], dense, int32 or int64
  std::int64_t count = 0;
  std::byte* out = nullptr;  // dense
  bool stream = false;       // writes past the caches
  bool ahead = false;        // fetches elements of the table ahead
};

// Returns whether an index is outside.
using TupleFunction = bool (*)(const TupleRun& run) noexcept;

// ---- Kernels that copy planes
// ---------------------------------------------------------------------------------------

// Rows of bytes, evenly spaced on both sides, which do not overlap.
struct Plane {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::int64_t to_step = 0;
  std::int64_t from_step = 0;
  std::int64_t rows = 1;
  std::int64_t row_bytes = 0;
  // Rows are fetched so many rows ahead, 0: not at all; of `known_rows` rows, those beyond `rows`
  // belong to later planes.
  std::int64_t ahead = 0;
  std::int64_t known_rows = 1;
  bool stream = false;  // writes past the caches, as far as whole cache lines can be written so
};

using PlaneFunction = void (*)(const Plane& plane) noexcept;

// Makes what this thread has streamed visible to others; before a task that streamed ends.
void flush_streams() noexcept;

// ---- Kernels that turn indices into offsets
// -------------------------------------------------------

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
  // The indices are fetched so many runs ahead, 0: not at all; of `known_runs` runs, at least
  // `runs`, those beyond belong to later calls.
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

// ---- Tables
// ---------------------------------------------------------------------------------------

struct KernelTable {
  std::array<BlockFunction, static_cast<std::size_t>(BlockKernel::kCount)> block{};
  PlaneFunction copy_plane = nullptr;
  // By the binary logarithm of the element's bytes; null where the set has nothing better than
  // another of these. The first are for any extent, by single loads and by gather instructions, the
  // others for tables of at most kMostLookupBytes.
  std::array<TakeFunction, 4> take_straight_int32{};
  std::array<TakeFunction, 4> take_straight_int64{};
  std::array<TakeFunction, 4> take_gathered_int32{};
  std::array<TakeFunction, 4> take_gathered_int64{};
  std::array<TakeFunction, 4> take_placed_int32{};  // the same two with TakeRun::places
  std::array<TakeFunction, 4> take_placed_int64{};
  std::array<TakeFunction, 4> gather_placed_int32{};
  std::array<TakeFunction, 4> gather_placed_int64{};
  std::array<TakeFunction, 4> look_up_int32{};
  std::array<TakeFunction, 4> look_up_int64{};
  std::array<TupleFunction, 4> take_tuples_int32{};
  std::array<TupleFunction, 4> take_tuples_int64{};
  std::array<LoadFunction, 256> load{};  // by DType; null for types that are no index
  WithinFunction all_within_int32 = nullptr;
  WithinFunction all_within_int64 = nullptr;
  ConstantFunction constant_runs_int32 = nullptr;
  ConstantFunction constant_runs_int64 = nullptr;
  OffsetFunction offsets_from_int32 = nullptr;
  OffsetFunction offsets_from_int64 = nullptr;
  // Keeps the offsets in [low, high) and their positions in the block; returns how many. The
  // buffers for them have room for `count`, all of which may be written.
  std::int64_t (*select_owned)(const void* offsets, bool wide, std::int64_t count,
                               std::uint64_t low, std::uint64_t high, void* kept_offsets,
                               std::uint32_t* kept_positions) noexcept = nullptr;
};

struct KernelSetEntry {
  std::string_view name;   // "plain", "avx2", "avx512"
  bool supported = false;  // by this machine
  KernelTable table;       // empty if not supported
};

// All sets that were built, slowest first; the last supported one is the default.
std::span<const KernelSetEntry> kernel_sets() noexcept;

// The set of that name, or the default for an empty name; null if it was not built or the machine
// lacks it.
const KernelSetEntry* find_kernel_set(std::string_view name) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_KERNELS_REGISTRY_H_
