#ifndef WINDROW_KERNELS_JOBS_H_
#define WINDROW_KERNELS_JOBS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "windrow/dtype.h"
#include "windrow/options.h"

// The work that kernels are given: one struct for each kind of kernel, and the types of their
// functions. Kernels for numbers cannot fail, allocate, throw or print.
namespace windrow::internal {

// ---- Blocks of rows that are moved or combined

// The largest prefetch distance, in rows.
inline constexpr std::int64_t kMostAhead = 128;

// The offset of a row that is outside.
template <class Offset>
inline constexpr Offset kOutside = ~Offset{0};

// A block: `count` rows on the direct side, `direct_step` bytes apart, and for each a row on the
// indirect side at `indirect + offset * unit`. Offsets are u32 or u64.
struct Block {
  std::byte* direct = nullptr;    // gather: written; scatter: read
  std::byte* indirect = nullptr;  // gather: read; scatter: written
  std::int64_t count = 0;
  std::int64_t direct_step = 0;
  std::int64_t row_bytes = 0;
  std::int64_t unit = 1;  // bytes
  const void* offsets = nullptr;
  std::int64_t extent = 0;    // all offsets that are not outside lie below; 0: unknown
  bool wide_offsets = false;  // u64 instead of u32
  // Whether some offset may be "outside": a gather writes zeros there, a scatter writes nothing.
  bool any_outside = false;
  // Scatters: row j of the block is row positions[j] of the direct side; null: row j.
  const std::uint32_t* positions = nullptr;
  // The prefetch distance on the indirect side, in rows; 0: none. `offsets` holds `known` offsets,
  // at least `count`. Those beyond `count` belong to the next blocks and are only prefetched.
  std::int64_t ahead = 0;
  std::int64_t known = 0;
  // Scatters that prefetch: whether the cells are near enough for the first-level cache.
  bool near_cells = false;
  // Whether the direct side is prefetched, too: updates, or contiguous rows that will be written.
  bool fetch_direct = false;
  // What the caller reads after this block, null if it is unknown, and the bytes of it that may be
  // prefetched for each row.
  const std::byte* next = nullptr;
  std::int64_t next_bytes = 0;
  // Gathers: whether the direct rows are written with non-temporal stores. They are so if they are
  // contiguous and have kLine bytes or more, or begin and end at multiples of kStreamedBytes. The
  // caller must not write to the same cache lines in any other way, because a mix is many times
  // slower than either.
  bool stream = false;
};

// The bytes that a row is written at a time with non-temporal stores: NumPy's large arrays begin 16
// bytes after a cache line.
inline constexpr std::int64_t kStreamedBytes = 16;

using BlockFunction = void (*)(const Block& block) noexcept;
// Returns false if memory for a string could not be allocated.
using StringFunction = bool (*)(const Block& block) noexcept;

// ---- Single cells that are updated straight from their indices

// Updates with one index each: update j goes to the cell at
// `cells + coordinate * index_step + j * lane_step`. A coordinate outside [0, extent) is an error.
struct StraightRun {
  std::byte* cells = nullptr;
  std::int64_t index_step = 0;  // bytes
  std::int64_t lane_step = 0;   // bytes
  std::int64_t extent = 0;
  bool wraps = false;                  // negative indices count from the end
  bool wide_indices = false;           // int64, not int32
  bool looks = true;                   // whether the first indices decide if the run is suited
  const std::byte* indices = nullptr;  // [count], dense
  const std::byte* updates = nullptr;  // [count], dense
  std::int64_t count = 0;
};

// kBadIndex: an index is outside; the updates before it are done. kUnsuited: nothing is done, since
// offsets in a buffer are likely to be faster for such indices.
enum class StraightEnd : std::uint8_t { kDone, kBadIndex, kUnsuited };

using StraightFunction = StraightEnd (*)(const StraightRun& run) noexcept;

// ---- Rows of a table that are added up

// Samples whose rows are folded into one row of cells, in their order: out += row, out += row *
// weight, or out = max(out, row), rounded after every step. Row j is at `table + offsets[j] *
// unit`; a sample that is outside is left out. Kernels of Family::kFoldBagInFloat compute in
// float32, and so `out` is float32 there.
struct Bag {
  std::byte* out = nullptr;  // dense
  std::int64_t row_bytes = 0;
  bool starts = true;  // whether `out` starts as zeros, and not as it is
  // kFoldBagInFloat: where the row of the table's type is written, dense, that the sums become when
  // they are divided by `divisor` and rounded; `out` is then unspecified. Null: `out` is written,
  // and more samples follow.
  std::byte* rounded = nullptr;
  float divisor = 1.0F;
  const std::byte* table = nullptr;
  std::int64_t unit = 1;  // bytes
  const std::uint64_t* offsets = nullptr;
  std::int64_t count = 0;
  const std::byte* weights = nullptr;  // [count], dense, of the type of `out`; null: all are 1
  // kFoldBagInFloat: whether the weights are of the table's type instead.
  bool narrow_weights = false;
  // The prefetch distance in rows; 0: none. Of `known` offsets, those beyond `count` belong to
  // later samples.
  std::int64_t ahead = 0;
  std::int64_t known = 0;
};

using BagFunction = void (*)(const Bag& bag) noexcept;

// ---- Values of a quantised table

// A line of a quantised table: `count` values side by side, of which each `block` successive ones
// have a scale, and a zero point, in common. Value i of the line becomes
// (value - zero point) * scale of block i / block, computed in float32; a NaN is the quiet one.
// Numbers of less than a byte stand in bytes from the low end on.
struct QuantisedLine {
  std::byte* out = nullptr;  // dense, of the kernel's type
  std::int64_t count = 0;
  std::int64_t block = 1;  // at least 1
  const std::byte* codes = nullptr;
  std::int64_t first_code = 0;        // the line's first code; below 0: before `codes`
  int bits = 8;                       // of a code: 2, 4 or 8
  unsigned flip = 0;                  // what turns a code of a signed integer into one without sign
  const float* values = nullptr;      // the value of each code; null: integers
  const std::byte* scales = nullptr;  // the line's first one; dense
  DType scale_type = DType::kFloat32;
  // Codes as those of the values are; null: all zero points are `zero`, an unsigned code's value.
  const std::byte* zeros = nullptr;
  std::int64_t first_zero = 0;
  float zero = 0;
};

using LineFunction = void (*)(const QuantisedLine& line) noexcept;

// ---- Elements of a table that are taken straight from their indices

// The longest index tuple that these kernels take.
inline constexpr int kMostTuple = 4;
// The largest table, in bytes, that is looked up in registers: the size of four vectors of 64
// bytes.
inline constexpr std::int64_t kMostLookupBytes = 256;

// A run of elements with one index, or one index tuple, each. Elements with a coordinate that is
// outside become zero.
struct TakeRun {
  const std::byte* table = nullptr;
  int length = 1;  // indices of a tuple
  // Coordinate k lies in [0, extents[k]), which is not empty, and counts steps[k] elements. Every
  // element of the table lies less than 2^32 - 1 elements after its beginning.
  std::array<std::int64_t, kMostTuple> extents{};
  std::array<std::uint32_t, kMostTuple> steps{1};
  bool wraps = false;  // negative indices count from the end
  // Only for one coordinate: an index that equals it is outside, and not reported.
  std::optional<std::int64_t> padding;
  const std::byte* indices = nullptr;  // [count, length], dense, int32 or int64
  // The beginning of each element's table, in elements after `table`; null: all begin at `table`.
  // Only for one coordinate. Every byte of a table lies less than 2^31 bytes after `table`.
  const std::uint32_t* places = nullptr;
  std::int64_t count = 0;
  std::byte* out = nullptr;  // dense
  bool stream = false;       // uses non-temporal stores
  // The approximate prefetch distance for the table, in elements; 0: none.
  std::int64_t ahead = 0;
  // The table of the next run, null if there is none, and the part of it that is prefetched for
  // each element of this run, in units of 1/65536 byte.
  const std::byte* next_table = nullptr;
  std::int64_t next_bytes = 0;

  // Whether the elements of a table stand side by side: one coordinate with a step of 1.
  bool is_dense() const { return length == 1 && steps[0] == 1; }
};

// Returns whether an index is outside without being padding.
using TakeFunction = bool (*)(const TakeRun& run) noexcept;

// Whether this machine's gather instructions take elements of 1, 2, 4 or 8 bytes faster than single
// loads. On some machines they are many times slower, by design or because of a mitigation.
// Measured once, in some tens of microseconds. Returns false if there are no such instructions.
bool has_fast_gathers(std::int64_t element_bytes) noexcept;

// ---- Planes that are copied

// Rows of bytes, evenly spaced on both sides. They do not overlap.
struct Plane {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::int64_t to_step = 0;
  std::int64_t from_step = 0;
  std::int64_t rows = 1;
  std::int64_t row_bytes = 0;
  // The prefetch distance in rows; 0: none. Of `known_rows` rows, those beyond `rows` belong to
  // later planes.
  std::int64_t ahead = 0;
  std::int64_t known_rows = 1;
  bool stream = false;  // uses non-temporal stores for whole cache lines
};

using PlaneFunction = void (*)(const Plane& plane) noexcept;

// Elements in `rows` rows of `count`, evenly spaced on both sides in both directions: element j of
// row i is copied from `from + i * from_row + j * from_step` to `to + i * to_row + j * to_step`.
// Steps are in bytes; the width of an element is the kernel's. The sides do not
// overlap.
struct Grid {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  std::int64_t rows = 1;
  std::int64_t to_row = 0;
  std::int64_t from_row = 0;
  std::int64_t count = 1;
  std::int64_t to_step = 0;
  std::int64_t from_step = 0;
};

using GridFunction = void (*)(const Grid& grid) noexcept;

// Makes this thread's non-temporal stores visible to others. Must be called at the end of a task
// that has used them.
void flush_streams() noexcept;

// ---- Indices that are turned into offsets

// Reads `count` indices, `step` bytes apart, and converts them to int64 as index_value() does.
using LoadFunction = void (*)(const std::byte* indices, std::int64_t step, std::int64_t count,
                              std::int64_t* out) noexcept;

// One addressed axis over runs of points, with a single index term and no loop in the coordinate.
// Arithmetic on offsets is modulo 2^32 or 2^64.
struct OffsetRun {
  const void* indices = nullptr;  // int32 or int64; begins at the first run's first point
  std::int64_t count = 0;         // points of each run
  std::int64_t runs = 1;
  std::int64_t run_step = 0;  // bytes from one run's indices to those of the next
  // The prefetch distance for indices, in runs; 0: none. Of `known_runs` runs, at least `runs`,
  // those beyond `runs` belong to later calls.
  std::int64_t ahead = 0;
  std::int64_t known_runs = 1;
  std::int64_t extent = 0;
  bool wraps = false;  // negative indices count from the end
  // An index that equals it is outside and not bad, under every policy. The indices can hold it.
  std::optional<std::int64_t> padding;
  std::uint64_t multiplier = 0;  // units per coordinate
  // The part of the axis is added to offset j of every run if `accumulate`; otherwise the offset is
  // set to `start` + j * lane_step + that part. The offsets of the runs are contiguous.
  bool accumulate = false;
  std::uint64_t start = 0;
  std::uint64_t lane_step = 0;
  void* offsets = nullptr;
  bool wide_offsets = false;
  OutOfRange policy = OutOfRange::kError;
};

enum : unsigned {
  kIndexBad = 1,      // kError: an index is outside; its offset is unspecified
  kIndexOutside = 2,  // kZero, kSkip, padding: an offset is all ones
};

// Returns kIndex* flags.
using OffsetFunction = unsigned (*)(const OffsetRun& run) noexcept;

// Keeps the offsets in [low, high) and their positions in the block, and returns their number. Both
// output buffers have room for `count` entries, all of which may be written.
using SelectFunction = std::int64_t (*)(const void* offsets, bool wide, std::int64_t count,
                                        std::uint64_t low, std::uint64_t high, void* kept_offsets,
                                        std::uint32_t* kept_positions) noexcept;

// ---- Indices that are only checked

struct LegalIndices {
  std::int64_t low = 0;
  std::int64_t high = -1;
  std::optional<std::int64_t> padding;  // legal, too; the indices can hold it
};

// Whether all `count` dense indices lie in [low, high] or are padding.
using WithinFunction = bool (*)(const std::byte* indices, std::int64_t count,
                                const LegalIndices& legal) noexcept;

// Runs of int32 or int64 indices. Each run is dense.
struct ConstantRuns {
  const std::byte* indices = nullptr;
  std::int64_t count = 0;  // of each run
  std::int64_t runs = 0;
  std::int64_t run_step = 0;    // bytes
  std::byte* values = nullptr;  // receives the first index of each run
};

// Whether every run holds a single value.
using ConstantFunction = bool (*)(const ConstantRuns& look) noexcept;

// ---- Bits that are taken

// Bits of a bitmap, counted from the lowest of its first byte, by the numbers of their rows.
struct BitRun {
  const std::byte* bits = nullptr;
  std::int64_t first = 0;              // the bit of row 0
  std::int64_t bytes = 0;              // of the bitmap; every row's bit lies in them
  const std::int32_t* rows = nullptr;  // -1: the bit is 0; -2: it is `other`
  bool other = false;
  std::int64_t count = 0;
  std::byte* to = nullptr;  // receives `count` bits; the rest of the last byte becomes 0
  bool gathers = false;     // whether gather instructions are used where there are any
};

// Reads the bit of every row once.
using BitFunction = void (*)(const BitRun& run) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_KERNELS_JOBS_H_
