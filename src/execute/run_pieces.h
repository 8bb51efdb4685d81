#ifndef WINDROW_EXECUTE_RUN_PIECES_H_
#define WINDROW_EXECUTE_RUN_PIECES_H_

#include "src/execute/way_runner.h"

namespace windrow::internal {

// The counters of a scatter's first loop, whose cells lie in a piece of the output each: copies
// some pieces of the start, scatters into them, goes on. Where the output is written past the
// caches the pieces are made in scratch.
class PiecesRunner final : public RunnerOf<Pieces> {
 public:
  using RunnerOf::RunnerOf;
  bool serves(const RunContext& run, int tasks) const override;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  std::size_t scratch_bytes(const LoweredPlan& plan, int tasks) const override;
  bool copies_start(const RunContext& run) const override;
  void run_task(const Task& task) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;

 private:
  void run_counters(const Task& task, bool stream) const;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_PIECES_H_
