#include "src/execute/run_takes.h"

#include <algorithm>

#include "src/execute/nest_cursor.h"
#include "src/execute/run_flat_takes.h"
#include "src/execute/take_job.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

bool has_dense_table(const TakeRun& job) { return job.length == 1 && job.steps[0] == 1; }

// Null: the table is too large, or the kernel set has no such kernel.
TakeFunction look_up(const LoweredPlan& plan, const KernelTable& kernels, const TakeRun& job) {
  if (!has_dense_table(job) || job.extents[0] * plan.row_bytes > kMostLookupBytes) return nullptr;
  return take_function<Family::kLookUp>(plan, kernels);
}

// Lines that two runs share are written by both: past the caches that is slow.
bool has_long_runs(const LoweredPlan& plan) {
  return plan.addressed.size() == 1 ||
         plan.addressed.back().extent * plan.row_bytes >= kLeastStreamedRunBytes;
}

// Elements that are taken between two looks at the outcome.
constexpr std::int64_t kElementsAtOnce = std::int64_t{1} << 18;

// How much of the next run's table is fetched for each element of a run: as much as the run takes
// of its own, at most all of it.
std::int64_t next_bytes(const LoweredPlan& plan, const TakeRun& job) {
  return (std::min(job.extents[0], job.count) * plan.row_bytes << 16) / job.count;
}

void take_runs(const LoweredPlan& plan, TakeFunction take, TakeRun job, const RunMemory& memory,
               const Range& points, Outcome& outcome) {
  const AddressAxis& axis = plan.axes.front();
  const AddressTerm& term = axis.terms.front();
  const std::byte* indices = memory.indices[static_cast<std::size_t>(term.input)] + term.first_byte;
  const std::byte* indirect = memory.indirect + plan.indirect_first;
  NestCursor cursor(plan.addressed, {});
  cursor.seek(points.low);
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
    const bool fetches = left > 0 && next != job.table && has_dense_table(job);
    job.next_table = fetches ? next : nullptr;
    job.next_bytes = fetches ? next_bytes(plan, job) : 0;
    const bool outside = take(job);
    if (outside && axis.policy == OutOfRange::kError) outcome.stop(RunOutcome::kBadIndex);
    moved = count * (plan.row_bytes + term.element_bytes);
  }
  if (job.stream) flush_streams();
}

}  // namespace

void run_takes(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
               const Range& points, Outcome& outcome) {
  const bool forced = plan.stream_from == 0;
  const TakeRun job =
      take_job(plan, memory.streams(plan, plan.stream && (forced || has_long_runs(plan))));
  const TakeFunction look = look_up(plan, kernels, job);
  if (plan.takes_flat && (look == nullptr || plan.flat->length < kLeastLookedUpRun))
    return run_flat_takes(plan, kernels, memory, points, outcome);
  take_runs(plan, look != nullptr ? look : take_function(plan, kernels), job, memory, points,
            outcome);
}

}  // namespace windrow::internal
