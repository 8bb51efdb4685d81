#ifndef WINDROW_EXECUTE_OFFSET_BLOCK_H_
#define WINDROW_EXECUTE_OFFSET_BLOCK_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "src/base/memory.h"
#include "src/execute/partition.h"
#include "src/execute/run_memory.h"
#include "src/plan/tuning.h"

namespace windrow::internal {

// A range of bytes that will be read soon. It is prefetched in pieces, between a block's kernels.
struct FetchAhead {
  const std::byte* next = nullptr;
  const std::byte* end = nullptr;
};

// Where the cells of a task are. Those in a near cache are not prefetched.
enum class CellPlace { kAnywhere, kNear };

// Which of two ways is faster, prefetching or not, as blocks of the same kind show in turn. It
// depends on where the cells are: a processor fetches those of a second-level cache by itself.
class FetchTrial {
 public:
  // Returns true if the next block should prefetch its cells.
  bool fetches() const { return is_tried() ? block_ % 2 == 0 : faster_; }
  // Returns true if the caller should time the next block.
  bool is_tried() const { return block_ >= 0 && block_ < kTriedBlocks; }
  // Must be called after each block. time: what the block took for each row, in any unit; ignored
  // unless the block was timed.
  void add(double time);

 private:
  int block_ = -kBlocksBeforeTrial;  // of the round
  bool faster_ = true;
  std::array<double, 2> times_{};  // of the round's blocks without, and with
};

// Passes one task's blocks to the plan's kernel, each cut to the part that the task owns. Rows are
// staged where the result is written with non-temporal stores but the rows cannot be written so one
// by one.
class BlockMover {
 public:
  explicit BlockMover(const RunContext& run, CellPlace cells = CellPlace::kAnywhere);

  // Restricts every row to its bytes [slice.low, slice.high): the whole row, no byte of it, or a
  // slice of row_slice().
  void slice_rows(const Range& slice);
  // Scatters: restricts the updates to offsets in [own.low, own.high).
  void keep_owned(const Range& own);

  // Gathers single elements by this kernel from now on, all blocks of which say how far their
  // offsets reach.
  void look_up(TakeFunction take) { look_up_ = take; }

  // The beginning of the direct side, or of its first slice.
  std::byte* direct() const { return direct_; }
  // What all blocks of the task have in common. The pattern stands at the first cell, or at the
  // first cell's slice.
  const Block& pattern() const { return pattern_; }
  void move(const Block& block, FetchAhead* fetch = nullptr);
  // Must be called after the last block.
  void finish();

 private:
  // Passes a block to the kernel, which prefetches unless its rows are near.
  void run_kernel(const Block& block);
  // Takes the elements of a block at its offsets as if these were indices.
  void take(const Block& block) const;
  // The same as run_kernel(), for blocks that are long enough to time some of their rows first.
  void run_timed(Block block);
  // Moves the first rows of a block without prefetching, and takes them out of it. Returns whether
  // they took no longer than rows of a near cache do.
  bool time_first_rows(Block& block);
  // The same as run_kernel(), for cells that may come as fast without prefetching.
  void run_tried(Block block);
  // Whether the rows that the block addresses are near.
  bool is_near(const Block& block);
  void move_owned(Block block);
  void move_staged(const Block& block, FetchAhead* fetch);
  void move_strings(const Block& block);

  const LoweredPlan& plan_;
  const KernelTable& kernels_;
  Outcome& outcome_;
  BlockFunction kernel_ = nullptr;
  TakeFunction look_up_ = nullptr;
  std::byte* direct_;
  Block pattern_;
  bool owned_ = false;
  std::uint64_t own_low_ = 0;
  std::uint64_t own_high_ = 0;
  bool staged_ = false;
  StagedRows stage_;
  std::optional<NearLines> near_;  // absent if nothing is prefetched, or rows are long
  std::int64_t timed_rows_ = 0;    // 0: none
  bool rows_near_ = false;         // as the latest timing says
  int blocks_until_timing_ = 0;
  std::optional<FetchTrial> trial_;  // scatters of single elements that prefetch
};

// Adds an axis with one fused term to the offsets of a run of at most kBlockPoints points. Its
// indices, of any type, begin at `first` and are `step` bytes apart. The caller has already set the
// offsets to the part that does not belong to the axis. Returns kIndex* flags.
unsigned add_fused_axis(const KernelTable& kernels, const AddressAxis& axis, const std::byte* first,
                        std::int64_t step, OffsetRun& run);

// Turns indices into the offsets of runs of points.
class OffsetReader {
 public:
  // What the context refers to must outlive the reader.
  explicit OffsetReader(const RunContext& run)
      : plan_(run.plan), kernels_(run.kernels), memory_(run.memory) {}

  // Writes the offsets of the next `count` points of the cursor's run (at most kBlockPoints) to
  // `offsets` and returns kIndex* flags. If kIndexBad is set, the offsets are unspecified. Does not
  // move the cursor.
  unsigned read(const NestCursor& cursor, std::int64_t count, void* offsets) const;
  // Same as read(), for a cursor through the plan's flat runs that stands at point number `point`
  // of the innermost loop.
  unsigned read_flat(const NestCursor& cursor, std::int64_t point, std::int64_t count,
                     void* offsets) const;

 private:
  // Where a run of points begins: some points before or after those at which a cursor stands.
  struct Place {
    const NestCursor& cursor;
    std::int64_t points = 0;
    std::int64_t position(std::size_t track) const {
      return cursor.position(track) + points * cursor.step(track);
    }
    std::int64_t step(std::size_t track) const { return cursor.step(track); }
  };

  unsigned read_repeated(const NestCursor& cursor, std::int64_t point, std::int64_t count,
                         std::uint32_t* offsets) const;
  unsigned add_axes(const Place& place, OffsetRun& run) const;
  unsigned add_fused(const AddressAxis& axis, const Place& place, OffsetRun& run) const;
  unsigned add_general(const AddressAxis& axis, const Place& place, OffsetRun& run) const;
  // For an axis whose only term has padding.
  unsigned add_padded(const AddressAxis& axis, const Place& place, OffsetRun& run) const;
  void load(const AddressAxis& axis, const AddressTerm& term, const Place& place,
            std::int64_t count, std::int64_t* out) const;

  const LoweredPlan& plan_;
  const KernelTable& kernels_;
  const RunMemory& memory_;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_OFFSET_BLOCK_H_
