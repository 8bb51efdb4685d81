#ifndef WINDROW_EXECUTE_WAY_RUNNERS_H_
#define WINDROW_EXECUTE_WAY_RUNNERS_H_

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <variant>

#include "src/execute/partition.h"
#include "src/execute/run_memory.h"
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

// Scratch memory: the caller's, or else the run's own.
class Scratch {
 public:
  Scratch(std::size_t bytes, std::span<std::byte> given);
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();
  // Whether there was no memory for what the caller did not give.
  bool is_missing() const { return own_bytes_ > 0 && data_ == nullptr; }
  std::byte* data() const { return data_; }

 private:
  std::byte* data_;
  std::size_t own_bytes_ = 0;
};

// How a way runs. Each way has a derived class.
class WayRunner {
 public:
  // Runs the plan, if the way serves the run. Returns false if it does not: nothing has been
  // written then. `given`: the caller's scratch, which may be too small.
  virtual bool try_run(const RunContext& run, std::span<std::byte> given) const;
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

template <class OneWay>
class RunnerOf : public WayRunner {
 public:
  // The way must outlive the runner.
  explicit RunnerOf(const OneWay& way) : way_(way) {}

 protected:
  const OneWay& way_;
};

// For a way that has nothing to run.
template <class OneWay>
class Runner final : public RunnerOf<OneWay> {
 public:
  using RunnerOf<OneWay>::RunnerOf;
};

// run_plan.cc. One block on the calling thread: tasks, cursors and blocks that grow run by run
// would take several times as many instructions as the kernels. After a bad index nothing has been
// written.
template <>
class Runner<SmallBlock> final : public RunnerOf<SmallBlock> {
 public:
  using RunnerOf::RunnerOf;
  bool try_run(const RunContext& run, std::span<std::byte> given) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;
};

// find_duplicates.cc. Index rows that hold a single index each: finds these, then runs the plan of
// rows.
template <>
class Runner<ConstantRows> final : public RunnerOf<ConstantRows> {
 public:
  using RunnerOf::RunnerOf;
  bool try_run(const RunContext& run, std::span<std::byte> given) const override;
  // Samples a few index rows.
  bool serves(const RunContext& run, int tasks) const override;
  // The scratch for the indices, then that of the rows' own plan.
  std::size_t scratch_bytes(const LoweredPlan& plan, int tasks) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;

 private:
  std::size_t index_bytes(const LoweredPlan& plan) const;
};

// run_shared.cc. Offsets that serve all points of the shared loops: computes a chunk of offsets,
// then moves every point of the shared loops with them.
template <>
class Runner<SharedOffsets> final : public RunnerOf<SharedOffsets> {
 public:
  using RunnerOf::RunnerOf;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  std::size_t scratch_bytes(const LoweredPlan& plan, int tasks) const override;
  void run_task(const Task& task) const override;
};

// run_lanes.cc. Packed lanes: the cells that a tile of lanes may address are copied to scratch,
// side by side, so that they do not compete for cache sets. A scatter's cells are copied back.
template <>
class Runner<PackedLanes> final : public RunnerOf<PackedLanes> {
 public:
  using RunnerOf::RunnerOf;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  std::size_t scratch_bytes(const LoweredPlan& plan, int tasks) const override;
  bool copies_start(const RunContext& run) const override;
  void run_task(const Task& task) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;
};

// run_takes.cc. Takes elements straight from their indices, along the loops of the plan.
template <>
class Runner<StraightTakes> final : public RunnerOf<StraightTakes> {
 public:
  using RunnerOf::RunnerOf;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  void run_task(const Task& task) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;
};

// run_takes.cc. Takes elements straight from their indices along flat runs: many short runs,
// each with a table of its own, are taken as one long run.
template <>
class Runner<FlatTakes> final : public RunnerOf<FlatTakes> {
 public:
  using RunnerOf::RunnerOf;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  void run_task(const Task& task) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;
};

// run_takes.cc. For a scatter whose first loop's counters each own a piece of the output: copies a
// few pieces of the start, scatters into them, and continues with the next pieces. Outputs that are
// written with non-temporal stores have their pieces made in scratch.
template <>
class Runner<Pieces> final : public RunnerOf<Pieces> {
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

// run_shared.cc. Ranges of the points of a scatter whose cells ascend, divided between two cells.
template <>
class Runner<SortedRanges> final : public RunnerOf<SortedRanges> {
 public:
  using RunnerOf::RunnerOf;
  bool serves(const RunContext& run, int tasks) const override;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  void run_task(const Task& task) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;
};

// run_shared.cc. Distributes updates over buckets of the output, for many threads and scatters of
// which neither a loop nor a row can be divided. Tasks share three steps: they count the updates of
// every bucket, put these side by side in the order of the points (single elements themselves,
// longer rows as positions), and fold bucket after bucket. Every index is read twice, whatever the
// number of tasks. If the second pass would put more or fewer updates into a bucket than the first
// one counted, the run stops.
template <>
class Runner<Buckets> final : public RunnerOf<Buckets> {
 public:
  using RunnerOf::RunnerOf;
  bool serves(const RunContext& run, int tasks) const override;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  std::size_t scratch_bytes(const LoweredPlan& plan, int tasks) const override;
  void run(const RunContext& run, const Partition& partition, std::byte* scratch) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;
};

// run_grids.cc. Copies single elements grid by grid, without offsets.
template <>
class Runner<GridCopies> final : public RunnerOf<GridCopies> {
 public:
  using RunnerOf::RunnerOf;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  void run_task(const Task& task) const override;

 private:
  // Copies the grids at all points of a box of the loops around them.
  void copy_grids(const Task& task, const Box& around, const Range& rows,
                  const Range& elements) const;
};

// run_boxes.cc. Parts of the addressed nest, block by block.
template <>
class Runner<Boxes> final : public RunnerOf<Boxes> {
 public:
  using RunnerOf::RunnerOf;
  Partition cut(const LoweredPlan& plan, int tasks) const override;
  void run_task(const Task& task) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;
};

// The runner of a way, whichever it is. The way must outlive it.
class AnyRunner {
 public:
  explicit AnyRunner(const Way& way) {
    const auto make = [this]<class OneWay>(const OneWay& one) -> const WayRunner* {
      static_assert(sizeof(Runner<OneWay>) == sizeof place_);
      return new (place_) Runner<OneWay>(one);
    };
    runner_ = std::visit(make, way);
  }
  AnyRunner(const AnyRunner&) = delete;
  AnyRunner& operator=(const AnyRunner&) = delete;

  const WayRunner* operator->() const { return runner_; }

 private:
  alignas(Runner<Boxes>) std::byte place_[sizeof(Runner<Boxes>)];
  const WayRunner* runner_;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_WAY_RUNNERS_H_
