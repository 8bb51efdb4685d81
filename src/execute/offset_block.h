#ifndef WINDROW_EXECUTE_OFFSET_BLOCK_H_
#define WINDROW_EXECUTE_OFFSET_BLOCK_H_

#include <cstddef>
#include <cstdint>

#include "src/execute/nest_cursor.h"
#include "src/execute/run_context.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {

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
  unsigned add_axes(const NestCursor& cursor, OffsetRun& run) const;
  unsigned add_fused(const AddressAxis& axis, const NestCursor& cursor, OffsetRun& run) const;
  unsigned add_general(const AddressAxis& axis, const NestCursor& cursor, OffsetRun& run) const;
  void load(const AddressAxis& axis, const AddressTerm& term, const NestCursor& cursor,
            std::int64_t count, std::int64_t* out) const;

  const LoweredPlan& plan_;
  const KernelTable& kernels_;
  const RunMemory& memory_;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_OFFSET_BLOCK_H_
