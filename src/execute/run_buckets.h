#ifndef WINDROW_EXECUTE_RUN_BUCKETS_H_
#define WINDROW_EXECUTE_RUN_BUCKETS_H_

#include <cstddef>
#include <cstdint>

#include "src/execute/nest_cursor.h"
#include "src/execute/offset_block.h"
#include "src/execute/outcome.h"
#include "src/execute/partition.h"
#include "src/kernels/registry.h"
#include "src/plan/lowered_plan.h"
#include "windrow/threads.h"

namespace windrow::internal {

// Runs a scatter on many threads where no loop and no row can be cut, in three steps that tasks
// share: counts the updates of every bucket of the output, puts them (single elements themselves,
// of longer rows the positions) side by side in the order of the points, and folds bucket after
// bucket. Every index is read twice, whatever the number of tasks; the second reading may put no
// more and no fewer updates into a bucket than the first one counted, or the run stops.
class BucketRun {
 public:
  // `scratch` has bucket_scratch_bytes(). `threads` may be null.
  BucketRun(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory, int tasks,
            std::byte* scratch, Outcome& outcome);

  void run(Threads* threads);

 private:
  enum class Step { kCount, kPlace, kFold };
  struct StepContext {
    BucketRun* run;
    Step step;
  };

  // Where the offsets of a range of points are put: counted, or placed.
  void read(int task, Step step);
  void count_block(const std::uint32_t* offsets, std::int64_t count, std::uint32_t* counts) const;
  // False: the indices have changed since they were counted.
  bool place_block(const std::uint32_t* offsets, std::int64_t count, std::int64_t first,
                   int task) const;
  void sum_counts();
  void fold(int task);

  void run_step(Step step, Threads* threads);
  std::uint32_t* next_of(int task) const { return next_ + task * buckets_; }
  std::uint32_t* ends_of(int task) const { return ends_ + task * buckets_; }
  // The first update of a bucket.
  std::int64_t bucket_begin(std::int64_t bucket) const;

  const LoweredPlan& plan_;
  const KernelTable& kernels_;
  const RunMemory& memory_;
  const int tasks_;
  Outcome& outcome_;
  std::int64_t buckets_;
  int shift_;  // of an offset to its bucket
  std::int64_t direct_step_;
  bool moves_elements_;
  std::uint32_t* next_ = nullptr;     // [tasks, buckets]: counts, then where the next update goes
  std::uint32_t* ends_ = nullptr;     // [tasks, buckets]: where the updates end
  std::uint32_t* offsets_ = nullptr;  // [points]
  std::byte* updates_ = nullptr;      // [points]: elements, or positions of rows
};

std::size_t bucket_scratch_bytes(const LoweredPlan& plan, int tasks);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_BUCKETS_H_
