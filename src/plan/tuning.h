#ifndef WINDROW_PLAN_TUNING_H_
#define WINDROW_PLAN_TUNING_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "src/base/memory.h"
#include "src/plan/costs.h"
#include "windrow/status.h"

// The sizes at which plans and runs change what they do. docs/performance/thresholds.md has the
// measurement for each, under its name here.
namespace windrow::internal {

// ---- Number of threads

// The fewest bytes of a row that a task takes as its slice: the task reads all offsets for them.
inline constexpr std::int64_t kLeastSliceBytes = 256;
// The most tasks of a scatter of which each reads all indices and keeps its own range of cells.
// More tasks distribute the updates over buckets first, which reads each index twice.
inline constexpr int kMostOwners = 4;
// Buckets for each task, so that uneven buckets do not matter much.
inline constexpr std::int64_t kBucketsPerTask = 4;

// ---- Blocks

// The points whose offsets are computed together, so that their buffers stay in a first-level
// cache; also the most lanes of a tile.
inline constexpr std::int64_t kBlockPoints = 1024;
// The most points, and bytes of rows and offsets, that run as one block on the calling thread.
inline constexpr std::int64_t kMostSmallPoints = 256;
inline constexpr std::int64_t kMostSmallBytes = std::int64_t{64} << 10;
// The fewest points whose offsets are kept for all outer points. Fewer are computed again as fast
// as they are looked up.
inline constexpr std::int64_t kLeastSharedPoints = 64;
// If the innermost loops of a gather need no offsets and have at most so many points, they are
// moved outside of the loops that need offsets.
inline constexpr std::int64_t kMostTurnedPoints = 5;
// The most points of an innermost loop that runs as one with the loop around it.
inline constexpr std::int64_t kMostFlatRun = 256;
// The shortest runs of straight takes that can do without flat runs.
inline constexpr std::int64_t kLeastStraightRun = 16;
// The shortest runs that use a table in registers, where there is one; shorter ones are taken along
// flat runs.
inline constexpr std::int64_t kLeastLookedUpRun = 64;
// Straight takes along flat runs prefetch the next tables as a whole if these have at most this
// number of bytes for each element taken.
inline constexpr std::int64_t kMostFetchedPerTake = 32;
// The fewest lanes of an index row for which a run checks whether the row holds a single index.
inline constexpr std::int64_t kLeastConstantLanes = 16;
// The number of index rows, and of points of a scatter, that are sampled before all are checked.
inline constexpr std::int64_t kSampledRows = 8;
inline constexpr std::int64_t kSampledPoints = 32;
// The most cells for which duplicates are found with a bitmap; for more, a hash set is used.
inline constexpr std::int64_t kMostBits = std::int64_t{1} << 30;

// ---- Memory

// The longest row that counts as a single element.
inline constexpr std::int64_t kMostElementBytes = 16;
// The smallest result that is written with non-temporal stores, except into memory that has never
// been touched.
inline constexpr std::int64_t kStreamBytes = std::int64_t{12} << 20;
// The shortest runs for which straight takes use non-temporal stores: two runs may share a line.
inline constexpr std::int64_t kLeastStreamedRunBytes = 1024;
// The shortest rows with gaps between them that are written with non-temporal stores.
inline constexpr std::int64_t kLeastApartBytes = 512;
// The shortest contiguous rows that are written with non-temporal stores one by one, whatever their
// length, the end of each joined with the beginning of the next.
inline constexpr std::int64_t kLeastJoinedRowBytes = 128;
// The fewest bytes of a block whose rows are joined: its first and last lines are not streamed.
inline constexpr std::int64_t kLeastJoinedBytes = std::int64_t{16} << 10;
// The longest rows that are collected in the first-level cache and then written with non-temporal
// stores.
inline constexpr std::int64_t kMostStagedRowBytes = 2048;
// The bytes of rows that are collected at a time.
inline constexpr std::int64_t kStageBytes = 4096;
// The smallest copy of a scatter's data, made as a whole, that uses non-temporal stores if the
// cells of the updates ascend. For updates in any other order the limit is larger by the cache
// lines that they touch.
inline constexpr std::int64_t kStreamStartBytes = std::int64_t{32} << 20;
// The largest limit for updates in any other order.
inline constexpr std::int64_t kStreamAnyStartBytes = std::int64_t{128} << 20;
// The bytes of rows that are prefetched at a time.
inline constexpr std::int64_t kBytesAhead = 16384;
// The most rows that are prefetched at a time.
inline constexpr std::int64_t kMostRowsAhead = 64;
// The longest rows that a block does not prefetch if they are near.
inline constexpr std::int64_t kMostNearRowBytes = 256;
// Gathers time the first rows of a block, without prefetching them, and prefetch the others of this
// and of the next blocks unless those came as fast as from a near cache. The longest rows that are
// timed, their bytes and number, the times that a block must be larger, the blocks for which the
// answer holds, and what a near row takes: so long and, for each byte, the part of a nanosecond.
inline constexpr std::int64_t kMostTimedRowBytes = 2048;
inline constexpr std::int64_t kTimedBytes = 4096;
inline constexpr std::int64_t kMostTimedRows = 64;
inline constexpr std::int64_t kBlockPerTimedRows = 8;
inline constexpr int kBlocksPerTiming = 16;
inline constexpr std::int64_t kNearRowNanoseconds = 3;
inline constexpr std::int64_t kNearBytesPerNanosecond = 16;
// Scatters of single elements time blocks with and without prefetching their cells, some of each,
// and go on as the faster ones for the blocks of a round. The blocks before the first trial are
// prefetched.
inline constexpr int kBlocksBeforeTrial = 4;
inline constexpr int kTriedBlocks = 4;
inline constexpr int kBlocksPerTrial = 128;
// The bytes of rows, and the fewest rows, that are prefetched at a time where rows are folded into
// bags.
inline constexpr std::int64_t kBagBytesAhead = 4096;
inline constexpr std::int64_t kLeastBagRowsAhead = 16;
// The fewest bytes of updates, and of rows to be written, that are prefetched.
inline constexpr std::int64_t kFetchUpdatesBytes = std::int64_t{1} << 20;
inline constexpr std::int64_t kFetchResultBytes = std::int64_t{16} << 10;
// The smallest indirect side whose single elements and short rows are prefetched: a core moves
// enough of them at a time to wait for a third-level cache by itself. Rows from
// kLeastFetchedRowBytes on are prefetched from any side that a second-level cache does not hold.
inline constexpr std::int64_t kLeastFetchedRowBytes = 96;
inline constexpr std::int64_t kFetchElementsBytes = std::int64_t{12} << 20;
// The prefetch distance for single elements.
inline constexpr std::int64_t kElementsAhead = 64;
// The smallest output whose cells are prefetched before they are overwritten, and the distance for
// single elements unless they are far. A sum reads its cells, which fetches them as early.
inline constexpr std::int64_t kFetchCellsBytes = std::int64_t{40} << 10;
inline constexpr std::int64_t kCellsAhead = 16;
// The cache lines that are prefetched between two kernels: about the number that a core can wait
// for at a time.
inline constexpr std::int64_t kLinesAtOnce = 64;
// The shortest rows of lanes that are packed.
inline constexpr std::int64_t kLeastPackedRowBytes = 256;
// The most cells to pack for each point; packing moves every cell once.
inline constexpr std::int64_t kCellsPerPoint = 4;
// The prefetch distance of a tile for rows of indices and updates.
inline constexpr std::int64_t kTileRowsAhead = 8;
// The prefetch distance for rows of cells while they are packed.
inline constexpr std::int64_t kPackRowsAhead = 24;

// ---- Sizes that follow from the bytes of a second-level cache

// Rows are prefetched if the indirect side has more bytes than this.
constexpr std::int64_t near_bytes(std::int64_t cache) { return cache / 2; }
// The bytes of the cells of a tile of packed lanes. Lanes are not packed if one cache line of each
// row of cells already takes more.
constexpr std::int64_t packed_bytes(std::int64_t cache) { return cache / 2; }
// The fewest bytes of cells that are packed; fewer stay in a near cache anyway.
constexpr std::int64_t least_packed_bytes(std::int64_t cache) { return cache / 4; }
// The bytes of the pieces in which a scatter's output is copied.
constexpr std::int64_t pieces_bytes(std::int64_t cache) { return cache / 8; }
// The largest piece that stays in a cache until its updates are done.
constexpr std::int64_t most_piece_bytes(std::int64_t cache) { return cache / 2; }
// The largest bucket of a scatter's output, in bytes.
constexpr std::int64_t bucket_bytes(std::int64_t cache) { return cache / 16; }
// The number of points whose offsets are computed at a time to serve outer loops. The offsets take
// an eighth of the cache.
constexpr std::int64_t shared_chunk(std::int64_t cache) { return cache / 32; }
// The most bytes addressed by one outer point that are prefetched during the outer point before it.
constexpr std::int64_t most_fetched_at_once(std::int64_t cache) { return cache / 16; }

// ---- Sizes that follow from the costs of the machine

// The fewest bytes of rows and indices that justify a task: those that are moved in twice the time
// that starting it takes. Whole pages of 4 KiB, and at least what runs as one block.
std::int64_t least_task_bytes(const MachineCosts& costs);
// The same by machine_costs().
std::int64_t least_task_bytes();
// The fewest bytes of a copy that justify a task: a byte of a copy takes half as long.
inline std::int64_t least_copy_task_bytes() { return 2 * least_task_bytes(); }
// The fewest indices to check, or cells of a mean to divide, that justify a task: one takes as long
// as 4 bytes of rows.
inline std::int64_t least_task_indices() { return least_task_bytes() / 4; }

// Tasks that divide the outer loops each compute all offsets. They do so if there are at least this
// number of outer points for each task: offsets then take at most a sixteenth of what moving the
// elements takes.
std::int64_t least_shared_share(const MachineCosts& costs);
std::int64_t least_shared_share();

// The prefetch distance for rows of a given length.
constexpr std::int64_t rows_ahead(std::int64_t row_bytes) {
  return std::clamp<std::int64_t>(kBytesAhead / row_bytes, 1, kMostRowsAhead);
}
constexpr std::int64_t bag_rows_ahead(std::int64_t row_bytes) {
  return std::clamp(kBagBytesAhead / row_bytes, kLeastBagRowsAhead, kMostRowsAhead);
}

// What CallOptions::kernels may force. Where a member is absent, the plan chooses. The result does
// not depend on any of these.
struct Tuning {
  std::string kernel_set;                // empty: the best one
  std::optional<std::int64_t> prefetch;  // prefetch distance in rows; 0: none
  std::optional<bool> stream;
  std::optional<std::int64_t> tile;  // lanes; 0: none
  std::optional<bool> pack;
  std::optional<bool> constant_rows;
  std::optional<bool> fused_copy;
  std::optional<bool> straight;
  std::optional<bool> gathers;
  std::optional<bool> buckets;
  std::optional<bool> sorted;
  std::optional<bool> flat_runs;
  std::optional<bool> grids;
  std::optional<bool> dense_copies;
  std::optional<std::int64_t> tasks;
  bool forces_levers = false;  // whether any lever was given
  // The size of the cache, and the costs of the machine, that plans are made for. Not levers, but
  // tests may set them.
  std::int64_t second_level_bytes = second_level_cache();
  MachineCosts costs = machine_costs();
};

// Reads "SET,NAME=VALUE,...", as CallOptions describes it. Errors: kInvalidArgument, naming the
// part that is wrong.
Result<Tuning> parse_tuning(std::string_view text);
// Also checks the kernel set and the file that WINDROW_COSTS names. Errors: also kUnsupported,
// naming the sets that there are, and those of load_costs().
Result<Tuning> parse_known_tuning(std::string_view text);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_TUNING_H_
