#include <algorithm>

#include "src/execute/nest_cursor.h"
#include "src/execute/take_job.h"
#include "src/execute/way_runners.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

// Elements from one coordinate of an axis to the next.
std::int64_t element_step(const LoweredPlan& plan, const AddressAxis& axis) {
  return static_cast<std::int64_t>(axis.multiplier) * plan.unit / plan.row_bytes;
}

// One index for each element of a dense table.
struct SingleTakes {
  using Job = TakeRun;

  static TakeRun job(const LoweredPlan& plan, bool stream) { return take_job(plan, stream); }

  static TakeFunction function(const LoweredPlan& plan, const KernelTable& kernels, bool gathers) {
    TakeFunction best = look_up_function(plan, kernels);
    if (best == nullptr && gathers)
      best = take_function(plan, kernels.take_gathered_int32, kernels.take_gathered_int64);
    if (best != nullptr) return best;
    return take_function(plan, kernels.take_straight_int32, kernels.take_straight_int64);
  }

  static void announce(TakeRun& run, const std::byte* next_table) { run.next_table = next_table; }
};

// An index tuple for each, or one index whose coordinates stand apart.
struct TupleTakes {
  using Job = TupleRun;

  static TupleRun job(const LoweredPlan& plan, bool stream) {
    TupleRun run;
    run.length = static_cast<int>(plan.axes.size());
    for (std::size_t k = 0; k < plan.axes.size(); ++k) {
      run.extents[k] = plan.axes[k].extent;
      run.steps[k] = static_cast<std::uint32_t>(element_step(plan, plan.axes[k]));
    }
    run.wraps = plan.axes.front().terms.front().wraps;
    run.stream = stream;
    run.ahead = plan.ahead > 0;
    return run;
  }

  static TupleFunction function(const LoweredPlan& plan, const KernelTable& kernels,
                                bool /*gathers*/) {
    return take_function(plan, kernels.take_tuples_int32, kernels.take_tuples_int64);
  }

  static void announce(TupleRun& /*run*/, const std::byte* /*next_table*/) {}
};

// Lines that two runs share are written by both: past the caches that is slow.
bool has_long_runs(const LoweredPlan& plan) {
  return plan.addressed.size() == 1 ||
         plan.addressed.back().extent * plan.row_bytes >= kLeastStreamedRunBytes;
}

template <class Takes>
void run_with(const Task& task, bool gathers) {
  const auto& [plan, kernels, memory, threads, outcome] = task.run;
  const Range points = task.points();
  const auto take = Takes::function(plan, kernels, gathers);
  const bool forced = plan.stream_from == 0;
  const bool stream = memory.streams(plan, plan.stream && (forced || has_long_runs(plan)));
  typename Takes::Job job = Takes::job(plan, stream);
  const AddressAxis& axis = plan.axes.front();
  const AddressTerm& term = axis.terms.front();
  const std::byte* indices = memory.first_index(term);
  const std::byte* indirect = task.run.cells();
  NestCursor cursor(plan.addressed, points.low);
  for (std::int64_t left = points.high - points.low, moved = 0;
       left > 0 && !outcome.stopped_after(moved);) {
    const std::int64_t count = std::min({left, cursor.run_length(), kElementsAtOnce});
    job.table = indirect + cursor.position(kIndirectStream) * plan.unit;
    job.indices = indices + cursor.position(term.stream);
    job.out = memory.direct + cursor.position(kDirectStream);
    job.count = count;
    cursor.advance(count);
    left -= count;
    const std::byte* next = indirect + cursor.position(kIndirectStream) * plan.unit;
    Takes::announce(job, left > 0 && next != job.table ? next : nullptr);
    const bool outside = take(job);
    if (outside && axis.policy == OutOfRange::kError) outcome.stop(RunOutcome::kBadIndex);
    moved = count * (plan.row_bytes + term.element_bytes);
  }
  if (stream) flush_streams();
}

}  // namespace

Partition Runner<StraightTakes>::cut(const LoweredPlan& plan, int tasks) const {
  return cut_takes(plan, tasks);
}

void Runner<StraightTakes>::run_task(const Task& task) const {
  const LoweredPlan& plan = task.run.plan;
  if (plan.axes.size() == 1 && element_step(plan, plan.axes.front()) == 1) {
    run_with<SingleTakes>(task, way_.gathers);
  } else {
    run_with<TupleTakes>(task, way_.gathers);
  }
}

void Runner<StraightTakes>::describe(const LoweredPlan& plan, PlanDescription& description) const {
  description.straight = true;
  description.gather_instructions = way_.gathers;
  WayRunner::describe(plan, description);
}

}  // namespace windrow::internal
