#ifndef WINDROW_EXECUTE_RUN_SHARED_H_
#define WINDROW_EXECUTE_RUN_SHARED_H_

#include <cstddef>
#include <cstdint>

#include "src/execute/block_mover.h"
#include "src/execute/nest_cursor.h"
#include "src/execute/offset_block.h"
#include "src/execute/outcome.h"

namespace windrow::internal {

// Runs a plan whose offsets serve all points of its shared loops, for one task: a chunk of offsets,
// then every point of the shared loops with them.
class SharedRunner {
 public:
  SharedRunner(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
               Outcome& outcome)
      : plan_(plan),
        memory_(memory),
        reader_(plan, kernels, memory.indices),
        outcome_(outcome),
        mover_(plan, kernels, memory, outcome) {
    memory_.indirect += plan.indirect_first;
  }

  // Bytes of offsets that a run needs.
  static std::size_t scratch_bytes(const LoweredPlan& plan);

  // Only the bytes [slice.low, slice.high) of every row.
  void slice_rows(const Range& slice) {
    mover_.slice_rows(slice);
    memory_.direct += slice.low;
    memory_.indirect += slice.low;
  }

  // Ranges of the addressed and of the shared points; `offsets` has scratch_bytes().
  void run(Range points, Range outer, std::byte* offsets);

 private:
  bool read_chunk(NestCursor& cursor, std::int64_t count, std::byte* offsets);
  void run_outer(std::byte* direct, std::int64_t count, const std::byte* offsets,
                 const Range& outer);

  const LoweredPlan& plan_;
  RunMemory memory_;
  OffsetReader reader_;
  Outcome& outcome_;
  bool any_outside_ = false;
  BlockMover mover_;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_SHARED_H_
