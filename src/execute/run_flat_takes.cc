#include <algorithm>

#include "src/base/cache_line.h"
#include "src/execute/nest_cursor.h"
#include "src/execute/take_job.h"
#include "src/execute/way_runners.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

// Whether the tables follow one another and have so few bytes for each element taken that they can
// be prefetched as a whole.
bool fetches_tables(const FlatRuns& flat, std::int64_t step_bytes) {
  return step_bytes > 0 && step_bytes <= kMostFetchedPerTake * flat.length;
}

}  // namespace

bool Runner<FlatTakes>::serves(const RunContext& run, int /*tasks*/) const {
  return run.plan.flat->length < kLeastLookedUpRun ||
         look_up_function(run.plan, run.kernels, take_job(run.plan, false)) == nullptr;
}

Partition Runner<FlatTakes>::cut(const LoweredPlan& plan, int tasks) const {
  return cut_takes(plan, tasks);
}

void Runner<FlatTakes>::run_task(const Task& task) const {
  const auto& [plan, kernels, memory, threads, outcome] = task.run;
  const Range points = task.points();
  const FlatRuns& flat = *plan.flat;
  const TakeFunction take = take_function(plan, kernels, way_.gathers);
  const bool stream = memory.streams(plan, plan.stream);
  const AddressAxis& axis = plan.axes.front();
  const AddressTerm& term = axis.terms.front();
  const std::byte* indices = memory.first_index(term);
  const std::byte* indirect = task.run.cells();
  const std::int64_t step_bytes = static_cast<std::int64_t>(flat.step) * plan.unit;
  const bool fetches = fetches_tables(flat, step_bytes);
  TakeRun run = take_job(plan, stream);
  run.next_bytes = fetches ? (step_bytes << 16) / flat.length : 0;
  NestCursor cursor(flat.nest, points.low);
  for (std::int64_t left = points.high - points.low, moved = 0;
       left > 0 && !outcome.stopped_after(moved);) {
    const std::int64_t position = cursor.run_position();
    const std::int64_t in_run = position % flat.length;
    run.table = indirect + cursor.position(kIndirectStream) * plan.unit +
                position / flat.length * step_bytes;
    run.places = flat.pattern.data() + in_run;
    run.indices = indices + cursor.position(term.stream);
    run.out = memory.direct + cursor.position(kDirectStream);
    // Each block but the first begins at a cache line of the result, if an element begins there.
    run.count =
        std::min({left, cursor.run_length(), kBlockPoints - line_offset(run.out) / plan.row_bytes});
    left -= run.count;
    run.next_table =
        fetches && left > 0 ? run.table + (in_run + run.count) / flat.length * step_bytes : nullptr;
    cursor.advance(run.count);
    const bool outside = take(run);
    if (outside && axis.policy == OutOfRange::kError) outcome.stop(RunOutcome::kBadIndex);
    moved = run.count * (plan.row_bytes + term.element_bytes);
  }
  if (stream) flush_streams();
}

}  // namespace windrow::internal
