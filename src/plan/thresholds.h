#ifndef WINDROW_PLAN_THRESHOLDS_H_
#define WINDROW_PLAN_THRESHOLDS_H_

#include <algorithm>
#include <cstdint>

// The sizes at which plans and runs change what they do. docs/performance/thresholds.md has the
// measurement of each, by its name here.
namespace windrow::internal {

// ---- How many threads

// The fewest bytes of rows and indices that are worth a task.
inline constexpr std::int64_t kLeastTaskBytes = std::int64_t{64} << 10;
// The fewest bytes of a copy that are worth a task.
inline constexpr std::int64_t kLeastCopyTaskBytes = std::int64_t{256} << 10;
// The fewest indices to look at, or cells of a mean to divide, that are worth a task.
inline constexpr std::int64_t kLeastTaskIndices = std::int64_t{1} << 15;
// The fewest bytes of a row that a task takes as its slice: it reads all offsets for them.
inline constexpr std::int64_t kLeastSliceBytes = 256;
// The most tasks of a scatter that each read all indices and keep their own range of cells; more
// tasks put the updates into buckets first, which takes two reads of each index.
inline constexpr int kMostOwners = 4;
// Buckets for each task, so that uneven buckets do not matter much.
inline constexpr std::int64_t kBucketsPerTask = 4;
// Tasks share the outer loops, and compute all offsets each, from this number of outer points for
// each task on.
inline constexpr std::int64_t kLeastSharedShare = 16;

// ---- Blocks

// The points whose offsets are computed together, so that their buffers stay in a first-level
// cache; also the most lanes of a tile.
inline constexpr std::int64_t kBlockPoints = 1024;
// The most points, and bytes of rows and offsets, that run as one block on the calling thread.
inline constexpr std::int64_t kMostSmallPoints = 256;
inline constexpr std::int64_t kMostSmallBytes = std::int64_t{64} << 10;
// The fewest points whose offsets serve outer loops: fewer are computed again as fast as they are
// looked up.
inline constexpr std::int64_t kLeastSharedPoints = 64;
// The most points of an innermost loop that runs together with the loop around it.
inline constexpr std::int64_t kMostFlatRun = 256;
// The shortest runs of straight takes that cannot go along flat runs.
inline constexpr std::int64_t kLeastStraightRun = 16;
// The shortest runs that are looked up in a table in registers, where there is one; shorter ones
// are taken along flat runs.
inline constexpr std::int64_t kLeastLookedUpRun = 64;
// Straight takes along flat runs fetch the next tables as a whole if these have at most this number
// of bytes for each element that is taken.
inline constexpr std::int64_t kMostFetchedPerTake = 32;
// The fewest lanes of an index row for which runs look whether it holds one index only.
inline constexpr std::int64_t kLeastConstantLanes = 16;
// The number of index rows, and of points of a scatter, that are sampled before all are looked at.
inline constexpr std::int64_t kSampledRows = 8;
inline constexpr std::int64_t kSampledPoints = 32;
// The elements that a task takes between two looks at the outcome of the run.
inline constexpr std::int64_t kElementsAtOnce = std::int64_t{1} << 18;
// The cells that a task divides between two looks at an interruption.
inline constexpr std::int64_t kCellsAtOnce = std::int64_t{1} << 16;
// The most cells of which duplicates are found with a bitmap; more are kept as a hash set.
inline constexpr std::int64_t kMostBits = std::int64_t{1} << 30;

// ---- Memory

// The longest row that counts as a single element.
inline constexpr std::int64_t kMostElementBytes = 16;
// The smallest result that is written past the caches, except into memory that nothing has touched
// yet.
inline constexpr std::int64_t kStreamBytes = std::int64_t{12} << 20;
// The shortest runs in which straight takes write past the caches: two runs may share a line.
inline constexpr std::int64_t kLeastStreamedRunBytes = 1024;
// The shortest rows with gaps between them that are written past the caches.
inline constexpr std::int64_t kLeastApartBytes = 512;
// The longest rows that are collected in a first-level cache to be written past the caches, and the
// bytes that are collected at a time.
inline constexpr std::int64_t kMostStagedRowBytes = 2048;
inline constexpr std::int64_t kStageBytes = 4096;
// The copy of a scatter's data, made as a whole, is written past the caches from the first size on
// if the updates' cells ascend, else from the sum of this size and the lines that the updates touch
// on, but at the latest from the second size on.
inline constexpr std::int64_t kStreamStartBytes = std::int64_t{32} << 20;
inline constexpr std::int64_t kStreamAnyStartBytes = std::int64_t{128} << 20;
// Bytes of rows that are fetched at once, and the most rows.
inline constexpr std::int64_t kBytesAhead = 16384;
inline constexpr std::int64_t kMostRowsAhead = 64;
// The fewest bytes of updates that are fetched ahead.
inline constexpr std::int64_t kFetchUpdatesBytes = std::int64_t{1} << 20;
// The smallest indirect side whose single elements are fetched ahead, and how many of them.
inline constexpr std::int64_t kFetchElementsBytes = std::int64_t{12} << 20;
inline constexpr std::int64_t kElementsAhead = 64;
// Cache lines that are fetched between two kernels, about as many as a core can wait for.
inline constexpr std::int64_t kLinesAtOnce = 64;
// The shortest rows of lanes that are packed.
inline constexpr std::int64_t kLeastPackedRowBytes = 256;
// Packing moves every cell once: the most cells for each point.
inline constexpr std::int64_t kCellsPerPoint = 4;
// Rows of indices and updates, and of cells, that are fetched ahead of a tile.
inline constexpr std::int64_t kTileRowsAhead = 8;
inline constexpr std::int64_t kPackRowsAhead = 24;

// ---- Sizes that follow from the bytes of a second-level cache

// Rows are fetched ahead if the indirect side has more bytes than this.
constexpr std::int64_t near_bytes(std::int64_t cache) { return cache / 2; }
// Bytes of the cells of a tile of packed lanes. Lanes are not packed if a cache line of each row of
// cells takes more.
constexpr std::int64_t packed_bytes(std::int64_t cache) { return cache / 2; }
// The fewest bytes of cells that are packed: fewer are in a near cache anyway.
constexpr std::int64_t least_packed_bytes(std::int64_t cache) { return cache / 4; }
// Bytes of the pieces that a scatter's output is copied in, and the largest piece that stays in a
// cache until its updates are done.
constexpr std::int64_t pieces_bytes(std::int64_t cache) { return cache / 8; }
constexpr std::int64_t most_piece_bytes(std::int64_t cache) { return cache / 2; }
// The largest bucket of a scatter's output.
constexpr std::int64_t bucket_bytes(std::int64_t cache) { return cache / 16; }
// The points whose offsets are computed at a time to serve outer loops: an eighth of the cache.
constexpr std::int64_t shared_chunk(std::int64_t cache) { return cache / 32; }
// What one outer point addresses is fetched during the one before if it has no more bytes.
constexpr std::int64_t most_fetched_at_once(std::int64_t cache) { return cache / 16; }

// Rows of a length that are fetched ahead.
constexpr std::int64_t rows_ahead(std::int64_t row_bytes) {
  return std::clamp<std::int64_t>(kBytesAhead / row_bytes, 1, kMostRowsAhead);
}

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_THRESHOLDS_H_
