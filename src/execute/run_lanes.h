#ifndef WINDROW_EXECUTE_RUN_LANES_H_
#define WINDROW_EXECUTE_RUN_LANES_H_

#include "src/execute/way_runner.h"

namespace windrow::internal {

// Packed lanes: the cells that a tile of lanes may address are copied to scratch, side by side, so
// that they share no cache sets, and a scatter's are copied back.
class LanesRunner final : public RunnerOf<PackedLanes> {
 public:
  using RunnerOf::RunnerOf;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  std::size_t scratch_bytes(const LoweredPlan& plan, int tasks) const override;
  bool copies_start(const RunContext& run) const override;
  void run_task(const Task& task) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_LANES_H_
