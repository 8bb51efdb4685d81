#ifndef WINDROW_EXECUTE_RUN_SORTED_H_
#define WINDROW_EXECUTE_RUN_SORTED_H_

#include "src/execute/way_runner.h"

namespace windrow::internal {

// Ranges of the points of a scatter whose cells ascend, cut between two cells.
class SortedRunner final : public RunnerOf<SortedRanges> {
 public:
  using RunnerOf::RunnerOf;
  bool serves(const RunContext& run, int tasks) const override;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  void run_task(const Task& task) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_SORTED_H_
