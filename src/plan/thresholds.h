#ifndef WINDROW_PLAN_THRESHOLDS_H_
#define WINDROW_PLAN_THRESHOLDS_H_

#include <algorithm>
#include <cstdint>

// From which sizes on a plan does what, each beside the measurement that set it. The measurements:
// Sapphire Rapids guest, 2 cores, 2 MiB of second-level cache each, DDR5, huge pages; medians of 7
// to 11 rounds. docs/performance/ says more about each.
namespace windrow::internal {

// ---- How many threads

// A task below this many bytes of rows and indices costs more to hand out than it saves: rows of 64
// bytes, 74, 147, 295 KB in all on one thread 3.2, 5.2, 12.7 us, on two 3.7, 4.8, 8.2.
inline constexpr std::int64_t kLeastTaskBytes = std::int64_t{64} << 10;
// The same of a copy, and of a check of indices.
inline constexpr std::int64_t kLeastCopyTaskBytes = std::int64_t{256} << 10;
inline constexpr std::int64_t kLeastTaskIndices = std::int64_t{1} << 15;
// Rows are cut into slices of at least so many bytes: a task reads all offsets for its slice.
inline constexpr std::int64_t kLeastSliceBytes = 256;
// Scatters that no loop and no row can cut: up to so many tasks each read all indices and keep
// their own range of cells; more put the updates side by side by buckets of the output first, at
// two reads of each index. On 2 tasks 4 M float32 into 64 MB: 33 ms and 38; with more tasks not
// measured here.
inline constexpr int kMostOwners = 4;
inline constexpr std::int64_t kBucketBytes = std::int64_t{128} << 10;

// ---- Blocks

// What runs as one block on the calling thread at most: points, and bytes of rows and offsets.
// Through the loops 8 rows of 64 bytes take 300 ns, as one block 49.
inline constexpr std::int64_t kMostSmallPoints = 256;
inline constexpr std::int64_t kMostSmallBytes = std::int64_t{64} << 10;
// Offsets serve outer loops from so many points on: fewer are computed again as fast as they are
// looked up.
inline constexpr std::int64_t kLeastSharedPoints = 64;
// Innermost loops of so many points at most run together with the next one: 4 M float32 by 2, 8,
// 64 lanes along axis 0 in 6.7, 5.5, 5.5 ms instead of 72, 28, 8.4; sums into 4, 16,
// 64 8.1, 8.3, 8.0 instead of 42, 21, 10.
inline constexpr std::int64_t kMostFlatRun = 256;
// Straight takes that can't go along flat runs need runs of so many: 4 M by 8, 12, 16, 32 along the
// last axis straight in 12.9, 8.4, 5.4, 4.1 ms, as flat runs in 8.1, 7.0, 7.2, 6.3.
inline constexpr std::int64_t kLeastStraightRun = 16;
// Runs of so many elements are looked up in their tables, where those are small enough, and shorter
// ones taken along flat runs. 3.2 M by 64 from 64, one thread, by run and flat: uint8 1.08, 1.19
// ms, float32 1.73, 1.71; float32 by 32 from 64 2.76, 2.16, by 16 6.1, 3.1.
inline constexpr std::int64_t kLeastLookedUpRun = 64;
// Straight takes along flat runs fetch the tables of the next ones as a whole if those have no more
// bytes for each element that is taken. 3.2 M by 8 from rows of 128, one thread, without and with:
// uint8 (16 bytes each) 3.4, 2.7 ms, float16 (32) 8.6, 7.7, float32 (64) 15.6, 18.6; float64 by 128
// from 256 (16) 6.3, 3.6.
inline constexpr std::int64_t kMostFetchedPerTake = 32;
// Tasks share the outer loops, and compute the offsets each, from so many outer points for each
// task on: it costs less than a tenth, and their results stay in one piece.
inline constexpr std::int64_t kLeastSharedShare = 16;
// Shared offsets are computed for so many points at a time: a quarter of a megabyte, for a
// second-level cache.
inline constexpr std::int64_t kSharedChunk = 65536;
// What one outer point addresses is fetched during the one before if it is no more than this.
inline constexpr std::int64_t kMostFetchedAtOnce = std::int64_t{128} << 10;

// ---- Memory

// Results from here on are written past the caches. 64 MiB of rows of 512 bytes: 6.7 ms against 12
// to 14 ms; rows of 64 bytes: 6.0 against 9.1; a copy of 64 MiB: 4.8 against 6.4, of 16 MiB: no
// difference, of 4 MiB: none, but its reader would find it in a cache. Not into new memory, whose
// pages the system clears as they are touched: rows of 512 bytes into 64 MiB 27.5 ms past the
// caches, 23.1 through them.
inline constexpr std::int64_t kStreamBytes = std::int64_t{12} << 20;
// By straight takes only in runs of so many bytes: of 64, 128, 256 and 512 bytes past the caches
// 8.6, 6.8, 3.2, 3.8 ms, through them 5.4, 4.1, 3.3, 3.1.
inline constexpr std::int64_t kLeastStreamedRunBytes = 1024;
// A scatter's copy of its data, as a whole, is written past the caches from here on, and from here
// on and the bytes of the lines that its updates touch, unless their cells ascend, but always from
// the second on: updates find in the last cache what was written through it. Through it and past
// it, one thread, 14 MiB: 4,096-byte rows over a quarter of them 1.3, 1.7 ms, 64-byte rows over all
// 3.2, 7.2, elements over a quarter 4.7, 7.3; 32 MiB: 4.6, 4.0; 10.1, 17.2; 14.0, 18.3; 64 MiB:
// 10.0, 8.8; 26.0, 34.0; 33.7, 38.8; 128 MiB: 23.0, 18.2; 68.2, 68.5; 81.3, 81.0. In order,
// 64-byte rows over all: 24 MiB 4.4, 5.9; 32 MiB 7.0, 7.7; 48 MiB 12.2, 11.7; 64 MiB 18.5, 15.9.
inline constexpr std::int64_t kStreamStartBytes = std::int64_t{32} << 20;
inline constexpr std::int64_t kStreamAnyStartBytes = std::int64_t{128} << 20;

// Rows are fetched ahead if the indirect side exceeds this: what second-level caches hold.
inline constexpr std::int64_t kFetchRowsBytes = std::int64_t{1} << 20;
// Bytes that are on their way at once, in rows of the indirect side, at most kMostRowsAhead. Caches
// cold, into the second level: rows of 64 bytes with 8, 32, 64, 128 rows ahead 26.3, 22.3, 22.8,
// 20.7 ms, without 27.3; of 512 bytes with 4, 8, 16 ahead 21.0, 20.4, 22.0, without 28.5. Into the
// first level: of 64 bytes with 8, 32, 64 ahead 28.3, 24.2, 24.1.
inline constexpr std::int64_t kBytesAhead = 16384;
inline constexpr std::int64_t kMostRowsAhead = 64;
// Updates are fetched a page ahead if there are more of them than this. Sums of 1,000,000 rows of
// 64 bytes into 10,000 at random 7.1 -> 4.7 ms, into 100,000 in order 7.8 -> 4.3; of 2,000,000 rows
// of 16 bytes 23.3 -> 19.7; of 500,000 rows of 256 bytes into 2,000 12.0 -> 9.3, into 200,000 17.2
// -> 16.4.
inline constexpr std::int64_t kFetchUpdatesBytes = std::int64_t{1} << 20;
// Single elements pay for it only beyond the last level of cache: 4 M of 64 MB, straight from their
// indices, without 29.9 ms, with 32, 64, 128 ahead 25.2, 25.6, 25.6; of 12 MiB, by gather
// instructions, uint8 13.3 instead of 14.7, float16 14.3 instead of 16.5, float32 13.0 instead of
// 13.1; of 8 MiB 12.7 instead of 13.7, 11.9 instead of 12.1, 12.3 instead of 10.9; a loss of up to
// 2x where the table is near.
inline constexpr std::int64_t kFetchElementsBytes = std::int64_t{12} << 20;
inline constexpr std::int64_t kElementsAhead = 64;

inline constexpr std::int64_t rows_ahead(std::int64_t row_bytes) {
  return std::clamp<std::int64_t>(kBytesAhead / row_bytes, 1, kMostRowsAhead);
}

// Lanes are packed in tiles of so many bytes. 8192x2048 float32 along axis 0, 16, 32, 64 lanes
// (512 KiB, 1 MiB, 2 MiB): 45.7, 37.4, 43.9 ms; unpacked 146.
inline constexpr std::int64_t kPackedBytes = std::int64_t{1} << 20;
// But not where a cache line of each row of cells takes more than this. 4 M float32 gathered along
// axis 0, cells in their place and packed: 7,812 rows of 8 KB 27 and 14 ms, 15,625 of 512 bytes
// 11.5 and 9.0, 31,250 of 2 KB 27 and 29, of 256 bytes 10.8 and 11.9, 62,500 of 1 KB 25 and 31.
inline constexpr std::int64_t kMostPackedBytes = std::int64_t{1} << 20;
// Nor rows of lanes that are shorter than this: of 16,666 rows of 96 bytes 5.5 and 8.1, 12,500 of
// 128 bytes 5.2 and 10.6, 3,125 of 512 bytes 5.8 and 5.5. Nor cells that are in a near cache.
inline constexpr std::int64_t kLeastPackedRowBytes = 256;
inline constexpr std::int64_t kLeastPackedBytes = std::int64_t{512} << 10;
// Packing moves every cell once: it pays where there is at least one point for so many cells.
inline constexpr std::int64_t kCellsPerPoint = 4;
// Rows of indices and updates that are fetched ahead of a tile: without 77.9 ms, 8 ahead 45.9, 32
// ahead 45.7.
inline constexpr std::int64_t kTileRowsAhead = 8;
inline constexpr std::int64_t kPackRowsAhead = 24;

// A scatter's output is copied in pieces of about so many bytes, each just before its updates.
inline constexpr std::int64_t kPieceBytes = std::int64_t{256} << 10;

// Pieces larger than this would not stay in a cache: the output is copied as a whole before.
inline constexpr std::int64_t kMostPieceBytes = std::int64_t{1} << 20;

// Index rows that hold one index only are looked for from so many lanes on.
inline constexpr std::int64_t kLeastConstantLanes = 16;

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_THRESHOLDS_H_
