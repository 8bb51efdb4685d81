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

  // The first byte of the side that is written.
  const std::byte* written() const;
  // The task's share of [0, total).
  Range share(std::int64_t total, std::int64_t grain = 1) const;
  // The share of counters of which a cache line of the written side holds `per_line`.
  Range share_lines(std::int64_t total, std::int64_t per_line) const;
  // The share of the addressed points if these are cut, else all of them.
  Range points() const;
  // Cut::kRow: the share of every row.
  Range slice() const;
};

// How a way runs: each has a class of this kind in a file of its own.
class WayRunner {
 public:
  // Whether the way serves this run, which has at most `tasks` tasks.
  virtual bool serves(const RunContext& run, int tasks) const;
  // How the points are cut into at most `tasks` tasks, 2 or more.
  virtual Partition cut(const LoweredPlan& plan, int tasks) const;
  // Bytes of scratch of this number of tasks, all together.
  virtual std::size_t scratch_bytes(const LoweredPlan& plan, int tasks) const;
  // Whether the tasks copy the start of a scatter; else it is copied before.
  virtual bool copies_start(const RunContext& run) const;
  // Runs all tasks. `scratch` has scratch_bytes() for the tasks of the partition.
  virtual void run(const RunContext& run, const Partition& partition, std::byte* scratch) const;
  // Runs one task.
  virtual void run_task(const Task& task) const;
  // Sets what a description says of the way, and how tasks share the work unless a way before has.
  virtual void describe(const LoweredPlan& plan, PlanDescription& description) const;

 protected:
  WayRunner() = default;
  ~WayRunner() = default;
  WayRunner(const WayRunner&) = default;
  WayRunner& operator=(const WayRunner&) = default;
};

// A runner of one type of way.
template <class OneWay>
class RunnerOf : public WayRunner {
 public:
  // The way must outlive the runner.
  explicit RunnerOf(const OneWay& way) : way_(way) {}

 protected:
  const OneWay& way_;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_WAY_RUNNER_H_
