#ifndef WINDROW_EXECUTE_RUN_FLAT_TAKES_H_
#define WINDROW_EXECUTE_RUN_FLAT_TAKES_H_

#include "src/execute/way_runner.h"

namespace windrow::internal {

// Elements straight from their indices along flat runs: many short runs, each with a table of its
// own, as a long one.
class FlatTakesRunner final : public RunnerOf<FlatTakes> {
 public:
  using RunnerOf::RunnerOf;
  bool serves(const RunContext& run, int tasks) const override;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  void run_task(const Task& task) const override;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_FLAT_TAKES_H_
