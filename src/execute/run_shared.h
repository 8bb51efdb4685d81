#ifndef WINDROW_EXECUTE_RUN_SHARED_H_
#define WINDROW_EXECUTE_RUN_SHARED_H_

#include "src/execute/way_runner.h"

namespace windrow::internal {

// Offsets that serve all points of the shared loops: a chunk of offsets, then every point of the
// shared loops with them.
class SharedRunner final : public RunnerOf<SharedOffsets> {
 public:
  using RunnerOf::RunnerOf;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  std::size_t scratch_bytes(const LoweredPlan& plan, int tasks) const override;
  void run_task(const Task& task) const override;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_SHARED_H_
