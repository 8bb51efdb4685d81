#ifndef WINDROW_EXECUTE_BLOCK_MOVER_H_
#define WINDROW_EXECUTE_BLOCK_MOVER_H_

#include <cstddef>
#include <cstdint>

#include "src/execute/outcome.h"
#include "src/execute/partition.h"
#include "src/execute/staged_rows.h"
#include "src/kernels/registry.h"
#include "src/plan/lowered_plan.h"

namespace windrow::internal {

// A range of bytes that will be read soon, fetched in pieces between a block's kernels.
struct FetchAhead {
  const std::byte* next = nullptr;
  const std::byte* end = nullptr;
};

// Gives one task's blocks to the plan's kernel: the part of each that the task owns, staged where
// the result is written past the caches but its rows can't be streamed one by one.
class BlockMover {
 public:
  BlockMover(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
             Outcome& outcome);

  // Only the bytes [slice.low, slice.high) of every row.
  void slice_rows(const Range& slice);
  // Only the offsets in [own.low, own.high): scatters.
  void keep_owned(const Range& own);

  // A block with what all blocks of the task have in common.
  const Block& pattern() const { return pattern_; }
  void move(const Block& block, FetchAhead* fetch = nullptr);
  // Must be called after the last block.
  void finish();

 private:
  void move_owned(Block block);
  void move_staged(const Block& block, FetchAhead* fetch);
  void move_strings(const Block& block);
  BlockFunction kernel_for(std::int64_t row_bytes) const;

  const LoweredPlan& plan_;
  const KernelTable& kernels_;
  Outcome& outcome_;
  BlockFunction kernel_ = nullptr;
  Block pattern_;
  bool owned_ = false;
  std::uint64_t own_low_ = 0;
  std::uint64_t own_high_ = 0;
  bool staged_ = false;
  StagedRows stage_;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_BLOCK_MOVER_H_
