#ifndef WINDROW_EXECUTE_RUN_BOXES_H_
#define WINDROW_EXECUTE_RUN_BOXES_H_

#include "src/execute/way_runner.h"

namespace windrow::internal {

// Parts of the addressed nest, block by block.
class BoxesRunner final : public RunnerOf<Boxes> {
 public:
  using RunnerOf::RunnerOf;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  void run_task(const Task& task) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;
};

// Whether a scatter can be cut into this number of tasks only by its cells, and into 2 or more.
bool must_cut_cells(const LoweredPlan& plan, int tasks);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_BOXES_H_
