#ifndef WINDROW_EXECUTE_BLOCK_MOVER_H_
#define WINDROW_EXECUTE_BLOCK_MOVER_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "src/base/near_lines.h"
#include "src/execute/partition.h"
#include "src/execute/run_context.h"
#include "src/execute/staged_rows.h"

namespace windrow::internal {

// A range of bytes that will be read soon. It is prefetched in pieces, between a block's kernels.
struct FetchAhead {
  const std::byte* next = nullptr;
  const std::byte* end = nullptr;
};

// Where the cells of a task are. Those in a near cache are not prefetched.
enum class CellPlace { kAnywhere, kNear };

// Passes one task's blocks to the plan's kernel, each cut to the part that the task owns. Rows are
// staged where the result is written with non-temporal stores but the rows cannot be written so one
// by one.
class BlockMover {
 public:
  explicit BlockMover(const RunContext& run, CellPlace cells = CellPlace::kAnywhere);

  // Restricts every row to its bytes [slice.low, slice.high).
  void slice_rows(const Range& slice);
  // Scatters: restricts the updates to offsets in [own.low, own.high).
  void keep_owned(const Range& own);

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
  // Whether the rows that the block addresses are near.
  bool is_near(const Block& block);
  void move_owned(Block block);
  void move_staged(const Block& block, FetchAhead* fetch);
  void move_strings(const Block& block);
  BlockFunction kernel_for(std::int64_t row_bytes) const;

  const LoweredPlan& plan_;
  const KernelTable& kernels_;
  Outcome& outcome_;
  BlockFunction kernel_ = nullptr;
  std::byte* direct_;
  Block pattern_;
  bool owned_ = false;
  std::uint64_t own_low_ = 0;
  std::uint64_t own_high_ = 0;
  bool staged_ = false;
  StagedRows stage_;
  std::optional<NearLines> near_;  // absent if nothing is prefetched, or rows are long
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_BLOCK_MOVER_H_
