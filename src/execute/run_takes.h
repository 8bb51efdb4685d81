#ifndef WINDROW_EXECUTE_RUN_TAKES_H_
#define WINDROW_EXECUTE_RUN_TAKES_H_

#include "src/execute/way_runner.h"

namespace windrow::internal {

// Elements straight from their indices, along the loops of the plan.
class TakesRunner final : public RunnerOf<StraightTakes> {
 public:
  using RunnerOf::RunnerOf;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  void run_task(const Task& task) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_TAKES_H_
