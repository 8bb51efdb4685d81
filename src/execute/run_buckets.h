#ifndef WINDROW_EXECUTE_RUN_BUCKETS_H_
#define WINDROW_EXECUTE_RUN_BUCKETS_H_

#include "src/execute/way_runner.h"

namespace windrow::internal {

// Updates by buckets of the output, for many threads and scatters of which no loop and no row can
// be cut. Tasks share three steps: they count the updates of every bucket, put these side by side
// in the order of the points (single elements themselves, longer rows as positions), and fold
// bucket after bucket. Every index is read twice, whatever the number of tasks. If the second
// reading would put more or fewer updates into a bucket than the first one counted, the run stops.
class BucketsRunner final : public RunnerOf<Buckets> {
 public:
  using RunnerOf::RunnerOf;
  bool serves(const RunContext& run, int tasks) const override;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  std::size_t scratch_bytes(const LoweredPlan& plan, int tasks) const override;
  void run(const RunContext& run, const Partition& partition, std::byte* scratch) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_BUCKETS_H_
