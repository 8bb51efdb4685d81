#include "src/execute/way_runners.h"

#include <string>

#include "src/base/memory.h"
#include "src/execute/partition.h"

namespace windrow::internal {
namespace {

// The share of each task, where there are several.
std::string share_text(const Partition& partition) {
  switch (partition.cut) {
    case Cut::kPoints:
      break;
    case Cut::kShared:
      return "a range of the loops that share offsets each";
    case Cut::kLoop:
      return "a range of loop " + std::to_string(partition.loop) + " each";
    case Cut::kRow:
      return "a slice of every row each";
    case Cut::kCells:
      return "the updates of a range of cells each";
  }
  return "a range of the points each";
}

}  // namespace

Scratch::Scratch(std::size_t bytes, std::span<std::byte> given) : data_(given.data()) {
  if (bytes <= given.size()) return;
  own_bytes_ = bytes;
  data_ = static_cast<std::byte*>(allocate_elements(bytes));
}

Scratch::~Scratch() {
  if (!is_missing() && own_bytes_ > 0) free_elements(data_, own_bytes_);
}

bool WayRunner::try_run(const RunContext& run, std::span<std::byte> given) const {
  const int tasks = most_tasks(run.plan, run.threads == nullptr ? 1 : run.threads->count());
  if (!serves(run, tasks)) return false;
  const Partition partition = tasks < 2 ? Partition{} : cut(run.plan, tasks);
  const Scratch scratch(scratch_bytes(run.plan, partition.tasks), given);
  RunMemory memory = run.memory;
  if (scratch.is_missing()) {
    run.outcome.stop(RunOutcome::kOutOfMemory);
    return true;
  }
  if (memory.start != nullptr && !copies_start(run)) {
    copy_whole_start(run);
    memory.start = nullptr;
  }
  this->run({run.plan, run.kernels, memory, run.threads, run.outcome}, partition, scratch.data());
  return true;
}

void WayRunner::run(const RunContext& run, const Partition& partition, std::byte* scratch) const {
  const std::size_t bytes =
      scratch_bytes(run.plan, partition.tasks) / static_cast<std::size_t>(partition.tasks);
  parallel_for(partition.tasks, run.threads, [&](int index) {
    run_task({run, partition, index, scratch + static_cast<std::size_t>(index) * bytes});
  });
}

void WayRunner::describe(const LoweredPlan& plan, PlanDescription& description) const {
  if (!description.thread_share.empty()) return;
  const Partition two = cut(plan, 2);
  description.thread_share = share_text(two.tasks < 2 ? Partition{} : two);
}

}  // namespace windrow::internal
