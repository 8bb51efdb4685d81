#ifndef WINDROW_EXECUTE_RUN_BOXES_H_
#define WINDROW_EXECUTE_RUN_BOXES_H_

#include <cstdint>

#include "src/execute/offset_block.h"
#include "src/execute/partition.h"
#include "src/execute/run_memory.h"
#include "src/plan/lower.h"

namespace windrow::internal {

// Whether a scatter can be divided into this number of tasks, 2 or more, only by its cells.
bool must_cut_cells(const LoweredPlan& plan, int tasks);

// Runs parts of a plan's addressed nest, block by block, for one task.
class BoxRunner {
 public:
  // The runner copies the context's RunMemory; what that refers to must outlive the runner.
  explicit BoxRunner(const RunContext& run, CellPlace cells = CellPlace::kAnywhere);

  // Restricts every row to its bytes [slice.low, slice.high).
  void slice_rows(const Range& slice) { mover_.slice_rows(slice); }
  void keep_owned(const Range& own) {
    straight_ = nullptr;
    mover_.keep_owned(own);
  }

  // Runs the points [range.low, range.high) of a box; range.high < 0 stands for the end of the box.
  void run(const Box& box, Range range);
  // Must be called after the last run.
  void finish() { mover_.finish(); }

 private:
  // Offsets of the points that come next. Those beyond the current block are only prefetched.
  struct Ahead {
    std::int64_t known = 0;
    unsigned flags = 0;         // kIndex* flags of the latest read
    unsigned flags_before = 0;  // of earlier reads whose points may not have been moved yet
  };

  // Whether the box holds whole flat runs of the plan.
  bool runs_flat(const Box& box) const;
  // The box of whole flat runs that has the same points.
  Box flat_box(const Box& box) const;
  void run_nest(const LoopNest& nest, const Box& box, const Range& range);
  // Runs the points of a box by straight_, as long as their indices are suited. Returns the others:
  // none if an index is bad.
  Range run_straight(const Box& box, const Range& range);
  bool read(NestCursor& reads, std::int64_t& left, std::byte* offsets, Ahead& ahead) const;
  void set_next(const NestCursor& reads);
  unsigned read_run(const NestCursor& reads, std::int64_t count, std::byte* offsets) const;
  void move(NestCursor& moves, std::int64_t count, const std::byte* offsets, const Ahead& ahead);

  const LoweredPlan& plan_;
  const std::int64_t ahead_;  // the prefetch distance, in rows
  const RunMemory& memory_;
  OffsetReader reader_;
  Outcome& outcome_;
  BlockMover mover_;
  StraightFunction straight_;  // null: offsets are needed
  std::int64_t at_once_;       // points that are read and moved between two checks of the outcome
  // The indices that come next, and the bytes of them for each point; 0: unknown.
  const std::byte* next_ = nullptr;
  std::int64_t next_bytes_ = 0;
  // The position in the innermost loop at which the box begins, if the runs are flat; else
  // negative.
  std::int64_t flat_first_ = -1;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_BOXES_H_
