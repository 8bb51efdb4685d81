#include <algorithm>

#include "src/execute/nest_cursor.h"
#include "src/execute/take_job.h"
#include "src/execute/way_runners.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

// Two tasks or runs write to a cache line that they share. This is slow with non-temporal stores.
bool has_long_runs(const LoweredPlan& plan) {
  return plan.addressed.size() == 1 ||
         plan.addressed.back().extent * plan.row_bytes >= kLeastStreamedRunBytes;
}

// The part of the next run's table that is prefetched for each element of a run: as many bytes as
// the run reads from its own table, at most the whole table.
std::int64_t next_bytes(const LoweredPlan& plan, const TakeRun& job) {
  return (std::min(job.extents[0], job.count) * plan.row_bytes << 16) / job.count;
}

}  // namespace

Partition Runner<StraightTakes>::cut(const LoweredPlan& plan, int tasks) const {
  return cut_takes(plan, tasks);
}

void Runner<StraightTakes>::run_task(const Task& task) const {
  const auto& [plan, kernels, memory, threads, outcome] = task.run;
  const Range points = task.points();
  const bool forced = plan.stream_from == 0;
  TakeRun job =
      take_job(plan, memory.streams(plan, plan.stream && (forced || has_long_runs(plan))));
  const TakeFunction look_up = look_up_function(plan, kernels, job);
  const TakeFunction take =
      look_up != nullptr ? look_up : take_function(plan, kernels, way_.gathers);
  const AddressAxis& axis = plan.axes.front();
  const AddressTerm& term = axis.terms.front();
  const std::byte* indices = memory.first_index(term);
  const std::byte* indirect = task.run.cells();
  NestCursor cursor(plan.addressed, points.low);
  for (std::int64_t left = points.high - points.low, moved = 0;
       left > 0 && !outcome.stopped_after(moved);) {
    job.table = indirect + cursor.position(kIndirectStream) * plan.unit;
    job.indices = indices + cursor.position(term.stream);
    job.out = memory.direct + cursor.position(kDirectStream);
    job.count = std::min({left, cursor.run_length(), kElementsAtOnce});
    cursor.advance(job.count);
    left -= job.count;
    const std::byte* next = indirect + cursor.position(kIndirectStream) * plan.unit;
    const bool fetches = left > 0 && next != job.table && has_dense_table(job);
    job.next_table = fetches ? next : nullptr;
    job.next_bytes = fetches ? next_bytes(plan, job) : 0;
    const bool outside = take(job);
    if (outside && axis.policy == OutOfRange::kError) outcome.stop(RunOutcome::kBadIndex);
    moved = job.count * (plan.row_bytes + term.element_bytes);
  }
  if (job.stream) flush_streams();
}

void Runner<StraightTakes>::describe(const LoweredPlan& plan, PlanDescription& description) const {
  description.straight = true;
  description.gather_instructions = way_.gathers;
  WayRunner::describe(plan, description);
}

}  // namespace windrow::internal
