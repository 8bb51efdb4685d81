#include <algorithm>

#include "src/base/memory.h"
#include "src/execute/partition.h"
#include "src/execute/run_boxes.h"
#include "src/execute/run_memory.h"
#include "src/execute/way_runners.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// Other tasks' failures end a task after its piece.
constexpr std::int64_t kPiecesPerLook = 8;

// Takes are divided by points.
Partition cut_takes(const LoweredPlan& plan, int tasks) {
  return {.tasks = static_cast<int>(std::min<std::int64_t>(plan.points, tasks))};
}

// The part of a way's job that all runs of the kernel have in common.
TakeRun start_job(const TakeRun& common, const Task& task) {
  TakeRun job = common;
  job.stream = task.run.memory.streams(task.run.plan, common.stream);
  job.ahead = task.run.plan.ahead;
  return job;
}

void describe_take(Kernel take, PlanDescription& description) {
  description.straight = true;
  description.gather_instructions =
      kKernelRows[static_cast<std::size_t>(take)].family == Family::kTakeGathered;
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
  const LoweredPlan& plan = task.run.plan;
  const RunMemory& memory = task.run.memory;
  Outcome& outcome = task.run.outcome;
  const Range points = task.points();
  const TakeFunction take = task.run.kernels.get<Family::kTake>(way_.take);
  TakeRun job = start_job(way_.job, task);
  const AddressAxis& axis = plan.axes.front();
  const AddressTerm& term = axis.terms.front();
  const std::byte* indices = memory.first_index(term);
  const std::byte* indirect = task.run.cells();
  const std::int64_t at_once =
      rows_between_looks(kPiecesPerLook * (plan.row_bytes + term.element_bytes));
  NestCursor cursor(plan.addressed, points.low);
  for (std::int64_t left = points.high - points.low, moved = 0;
       left > 0 && !outcome.stopped_after(moved);) {
    job.table = indirect + cursor.position(kIndirectTrack) * plan.unit;
    job.indices = indices + cursor.position(term.track);
    job.out = memory.direct + cursor.position(kDirectTrack);
    job.count = std::min({left, cursor.run_length(), at_once});
    cursor.advance(job.count);
    left -= job.count;
    const std::byte* next = indirect + cursor.position(kIndirectTrack) * plan.unit;
    const bool fetches = left > 0 && next != job.table && job.is_dense();
    job.next_table = fetches ? next : nullptr;
    job.next_bytes = fetches ? next_bytes(plan, job) : 0;
    const bool outside = take(job);
    if (outside && axis.policy == OutOfRange::kError) outcome.stop(RunOutcome::kBadIndex);
    moved = job.count * (plan.row_bytes + term.element_bytes);
  }
  if (job.stream) flush_streams();
}

void Runner<StraightTakes>::describe(const LoweredPlan& plan, PlanDescription& description) const {
  describe_take(way_.take, description);
  WayRunner::describe(plan, description);
}

namespace {

// Whether the tables follow one another and have so few bytes for each element taken that they can
// be prefetched as a whole.
bool fetches_tables(const FlatRuns& flat, std::int64_t step_bytes) {
  return step_bytes > 0 && step_bytes <= kMostFetchedPerTake * flat.length;
}

}  // namespace

Partition Runner<FlatTakes>::cut(const LoweredPlan& plan, int tasks) const {
  return cut_takes(plan, tasks);
}

void Runner<FlatTakes>::run_task(const Task& task) const {
  const LoweredPlan& plan = task.run.plan;
  const RunMemory& memory = task.run.memory;
  Outcome& outcome = task.run.outcome;
  const Range points = task.points();
  const FlatRuns& flat = *plan.flat;
  const TakeFunction take = task.run.kernels.get<Family::kTake>(way_.take);
  const AddressAxis& axis = plan.axes.front();
  const AddressTerm& term = axis.terms.front();
  const std::byte* indices = memory.first_index(term);
  const std::byte* indirect = task.run.cells();
  const std::int64_t step_bytes = static_cast<std::int64_t>(flat.step) * plan.unit;
  const bool fetches = fetches_tables(flat, step_bytes);
  TakeRun run = start_job(way_.job, task);
  run.next_bytes = fetches ? (step_bytes << 16) / flat.length : 0;
  NestCursor cursor(flat.nest, points.low);
  for (std::int64_t left = points.high - points.low, moved = 0;
       left > 0 && !outcome.stopped_after(moved);) {
    const std::int64_t position = cursor.run_position();
    const std::int64_t in_run = position % flat.length;
    run.table = indirect + cursor.position(kIndirectTrack) * plan.unit +
                position / flat.length * step_bytes;
    run.places = flat.pattern.data() + in_run;
    run.indices = indices + cursor.position(term.track);
    run.out = memory.direct + cursor.position(kDirectTrack);
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
  if (run.stream) flush_streams();
}

void Runner<FlatTakes>::describe(const LoweredPlan& plan, PlanDescription& description) const {
  describe_take(way_.take, description);
  WayRunner::describe(plan, description);
}

namespace {

Plane one_row(std::byte* to, const std::byte* from, std::int64_t bytes, bool stream) {
  Plane plane;
  plane.to = to;
  plane.from = from;
  plane.row_bytes = bytes;
  plane.stream = stream;
  return plane;
}

}  // namespace

bool Runner<Pieces>::serves(const RunContext& run, int /*tasks*/) const {
  return run.memory.start != nullptr &&
         run.plan.addressed.front().extent <= run.memory.start_bytes / way_.bytes;
}

Partition Runner<Pieces>::cut(const LoweredPlan& plan, int tasks) const {
  const std::int64_t pieces = plan.addressed.front().extent;
  return {.cut = Cut::kLoop,
          .tasks = static_cast<int>(std::min<std::int64_t>(pieces, tasks)),
          .loop = 0};
}

std::size_t Runner<Pieces>::scratch_bytes(const LoweredPlan& /*plan*/, int tasks) const {
  return static_cast<std::size_t>(tasks * whole_lines(way_.at_once * way_.bytes));
}

bool Runner<Pieces>::copies_start(const RunContext& /*run*/) const { return true; }

void Runner<Pieces>::run_task(const Task& task) const {
  const RunMemory& memory = task.run.memory;
  const bool stream = memory.streams(task.run.plan, memory.start_bytes >= way_.stream_from);
  run_counters(task, stream);
  const std::int64_t done = task.run.plan.addressed.front().extent * way_.bytes;
  const Range rest = task.share(memory.start_bytes - done, kLine);
  copy_start(task.run, stream, {done + rest.low, done + rest.high});
}

void Runner<Pieces>::run_counters(const Task& task, bool stream) const {
  const RunContext& run = task.run;
  const RunMemory& memory = run.memory;
  const Range counters = task.share(run.plan.addressed.front().extent);
  for (std::int64_t low = counters.low, bytes = 0;
       low < counters.high && !run.outcome.stopped_after(bytes);) {
    const std::int64_t high = std::min(low + way_.at_once, counters.high);
    const std::int64_t first = low * way_.bytes;
    bytes = (high - low) * way_.bytes;
    std::byte* piece = stream ? task.scratch : memory.indirect + first;
    run.kernels.copy_plane(one_row(piece, memory.start + first, bytes, false));
    RunMemory piece_memory = memory;
    piece_memory.indirect = piece - first;
    BoxRunner runner({run.plan, run.kernels, piece_memory, run.threads, run.outcome},
                     CellPlace::kNear);
    runner.run({0, low, high}, {0, -1});
    runner.finish();
    if (stream) run.kernels.copy_plane(one_row(memory.indirect + first, piece, bytes, true));
    low = high;
  }
  if (stream) flush_streams();
}

void Runner<Pieces>::describe(const LoweredPlan& plan, PlanDescription& description) const {
  description.piece_bytes = way_.bytes;
  WayRunner::describe(plan, description);
}

}  // namespace windrow::internal
