#ifndef WINDROW_EXECUTE_WAY_RUNNER_H_
#define WINDROW_EXECUTE_WAY_RUNNER_H_

#include <cstddef>
#include <cstdint>

#include "src/execute/partition.h"
#include "src/execute/run_context.h"
#include "windrow/plan_description.h"

namespace windrow::internal {

// One task of a run.
struct Task {
  const RunContext& run;
  const Partition& partition;
  int index;
  std::byte* scratch;  // the task's share of the way's scratch memory

  // The first byte of the written side.
  const std::byte* written() const { return run.plan.scatter ? run.cells() : run.memory.direct; }
  // The task's share of [0, total).
  Range share(std::int64_t total, std::int64_t grain = 1) const {
    return task_range(total, partition.tasks, index, grain);
  }
  // The task's share of counters of which a cache line of the written side holds `per_line`.
  Range share_lines(std::int64_t total, std::int64_t per_line) const {
    return line_range(total, partition.tasks, index, per_line, written());
  }
  // The task's share of the addressed points if these are divided; else all of them.
  Range points() const {
    return partition.cut == Cut::kPoints ? share(run.plan.points) : Range{0, run.plan.points};
  }
  // Cut::kRow: the task's share of every row.
  Range slice() const { return row_slice(run.plan, written(), partition.tasks, index); }
};

// How a way runs. Each way has a derived class in a file of its own.
class WayRunner {
 public:
  // Whether the way serves this run, which has at most `tasks` tasks.
  virtual bool serves(const RunContext& /*run*/, int /*tasks*/) const { return true; }
  // How the points are divided into at most `tasks` tasks; `tasks` is at least 2.
  virtual Partition cut(const LoweredPlan& /*plan*/, int /*tasks*/) const { return {}; }
  // Bytes of scratch for this number of tasks together.
  virtual std::size_t scratch_bytes(const LoweredPlan& /*plan*/, int /*tasks*/) const { return 0; }
  // Whether the tasks copy the start of a scatter. Otherwise it is copied before the way runs.
  virtual bool copies_start(const RunContext& /*run*/) const { return false; }
  // Runs all tasks. `scratch` has scratch_bytes() for the tasks of the partition.
  virtual void run(const RunContext& run, const Partition& partition, std::byte* scratch) const;
  // Runs one task.
  virtual void run_task(const Task& /*task*/) const {}
  // Sets the members of a description that are about the way, and how tasks share the work unless
  // an earlier way has set that.
  virtual void describe(const LoweredPlan& plan, PlanDescription& description) const;

 protected:
  WayRunner() = default;
  ~WayRunner() = default;
  WayRunner(const WayRunner&) = default;
  WayRunner& operator=(const WayRunner&) = default;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_WAY_RUNNER_H_
