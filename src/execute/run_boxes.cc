#include "src/execute/run_boxes.h"

#include <algorithm>
#include <cstring>

#include "src/base/memory.h"
#include "src/execute/way_runners.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// Whether tasks that divide a loop rarely write to the same cache line.
bool keeps_lines_apart(const LoweredPlan& plan, int loop, int tasks) {
  const std::int64_t step = cell_step(plan, loop);
  const std::int64_t extent = plan.addressed[static_cast<std::size_t>(loop)].extent;
  return step == 0 || step >= kLine || extent / tasks * step >= kLeastSliceBytes;
}

// Whether each task still has long runs if a loop is divided. Dividing a loop that is part of the
// flat runs cuts every run into pieces.
bool keeps_long_runs(const LoweredPlan& plan, std::size_t loop, int tasks) {
  if (!plan.flat || loop < plan.flat->nest.size()) return true;
  const std::int64_t run = plan.addressed.back().extent;
  return (loop + 1 == plan.addressed.size() ? run / tasks : run) >= kLeastCutRun;
}

// The longest injective loop that gives every task some work.
int find_loop(const LoweredPlan& plan, int tasks) {
  int best = -1;
  std::int64_t longest = tasks - 1;
  for (std::size_t l = 0; l < plan.addressed.size(); ++l) {
    if (!plan.addressed[l].injective || plan.addressed[l].extent <= longest ||
        !keeps_lines_apart(plan, static_cast<int>(l), tasks) || !keeps_long_runs(plan, l, tasks))
      continue;
    best = static_cast<int>(l);
    longest = plan.addressed[l].extent;
  }
  return best;
}

Partition cut_scatter(const LoweredPlan& plan, int tasks) {
  const int loop = find_loop(plan, tasks);
  if (loop >= 0) return {.cut = Cut::kLoop, .tasks = tasks, .loop = loop};
  if (plan.row_bytes >= tasks * kLeastSliceBytes) return cut_rows(plan, tasks);
  return {.cut = Cut::kCells, .tasks = std::min(tasks, kMostOwners)};
}

}  // namespace

bool must_cut_cells(const LoweredPlan& plan, int tasks) {
  return tasks > 1 && cut_scatter(plan, tasks).cut == Cut::kCells;
}

Partition Runner<Boxes>::cut(const LoweredPlan& plan, int tasks) const {
  if (plan.scatter) {
    const Partition partition = cut_scatter(plan, tasks);
    return partition.cut == Cut::kCells && !way_.cuts_cells ? Partition{} : partition;
  }
  if (plan.points >= tasks) return {.cut = Cut::kPoints, .tasks = tasks};
  return cut_rows(plan, tasks);
}

void Runner<Boxes>::run_task(const Task& task) const {
  const LoweredPlan& plan = task.run.plan;
  BoxRunner runner(task.run);
  Box box;
  Range points{0, -1};
  switch (task.partition.cut) {
    case Cut::kLoop: {
      const int loop = task.partition.loop;
      const Range range = task.share_lines(plan.addressed[static_cast<std::size_t>(loop)].extent,
                                           loop_grain(plan, loop));
      box = {loop, range.low, range.high};
      break;
    }
    case Cut::kRow:
      runner.slice_rows(task.slice());
      break;
    case Cut::kCells:
      runner.keep_owned(task.share(static_cast<std::int64_t>(plan.offset_count)));
      break;
    default:
      points = task.points();
  }
  runner.run(box, points);
  runner.finish();
}

void Runner<Boxes>::describe(const LoweredPlan& plan, PlanDescription& description) const {
  if (plan.straight != Kernel::kCount) description.straight = true;
  const bool first = description.thread_share.empty();
  const bool cells = plan.scatter && must_cut_cells(plan, 2);
  const bool sorted = cells && find_way<SortedRanges>(plan.ways) != nullptr;
  if (first && cells && !way_.cuts_cells) {
    if (sorted) description.thread_share = "of sorted updates a range of the points each";
    return;
  }
  WayRunner::describe(plan, description);
  if (first && sorted) description.thread_share += "; of sorted ones a range of the points";
}

namespace {

constexpr std::int64_t kMostKnown = kBlockPoints + kMostAhead;

}  // namespace

BoxRunner::BoxRunner(const RunContext& run, CellPlace cells)
    : plan_(run.plan),
      ahead_(cells == CellPlace::kNear ? 0 : run.plan.ahead),
      memory_(run.memory),
      reader_(run),
      outcome_(run.outcome),
      mover_(run, cells),
      straight_(run.kernels.get<Family::kScatterStraight>(run.plan.straight)),
      at_once_(std::min(rows_between_looks(run.plan.row_bytes), kBlockPoints)) {}

bool BoxRunner::runs_flat(const Box& box) const {
  return plan_.flat && box.loop < static_cast<int>(plan_.flat->nest.size());
}

Box BoxRunner::flat_box(const Box& box) const {
  if (box.loop != static_cast<int>(plan_.flat->nest.size()) - 1) return box;
  return {box.loop, box.low * plan_.flat->length, box.high * plan_.flat->length};
}

void BoxRunner::run(const Box& box, Range range) {
  if (straight_ != nullptr) {
    range = run_straight(box, range);
    if (range.low == range.high) return;
  }
  if (!runs_flat(box)) {
    flat_first_ = -1;
    return run_nest(plan_.addressed, box, range);
  }
  const Box flat = flat_box(box);
  flat_first_ = flat.loop == static_cast<int>(plan_.flat->nest.size()) - 1 ? flat.low : 0;
  run_nest(plan_.flat->nest, flat, range);
}

void BoxRunner::run_nest(const LoopNest& nest, const Box& box, const Range& range) {
  NestCursor reads(nest, box);
  NestCursor moves(nest, box);
  std::int64_t left = (range.high < 0 ? reads.points() : range.high) - range.low;
  if (left <= 0) return;
  reads.seek(range.low);
  moves.seek(range.low);
  alignas(64) std::byte offsets[kMostKnown * 8];
  Ahead ahead;
  for (std::int64_t unread = left, moved = 0; left > 0 && !outcome_.stopped_after(moved);) {
    if (!read(reads, unread, offsets, ahead)) return outcome_.stop(RunOutcome::kBadIndex);
    const std::int64_t kept = unread > 0 ? ahead_ : 0;
    const std::int64_t count = std::min(ahead.known - kept, at_once_);
    if (unread > 0) set_next(reads);
    move(moves, count, offsets, ahead);
    moved = count * (plan_.row_bytes + plan_.offset_bytes());
    left -= count;
    ahead.known -= count;
    std::memmove(offsets, offsets + count * plan_.offset_bytes(),
                 static_cast<std::size_t>(ahead.known * plan_.offset_bytes()));
  }
}

namespace {

// What all straight runs of a plan have in common.
StraightRun straight_job(const LoweredPlan& plan) {
  const AddressAxis& axis = plan.axes.front();
  const AddressTerm& term = axis.terms.front();
  StraightRun job;
  job.index_step = static_cast<std::int64_t>(axis.multiplier) * plan.unit;
  job.lane_step = plan.addressed.back().strides[kIndirectTrack] * plan.unit;
  job.extent = axis.extent;
  job.wraps = term.wraps;
  job.wide_indices = term.dtype == DType::kInt64;
  return job;
}

}  // namespace

Range BoxRunner::run_straight(const Box& box, const Range& range) {
  const AddressTerm& term = plan_.axes.front().terms.front();
  StraightRun job = straight_job(plan_);
  NestCursor cursor(plan_.addressed, box);
  Range left{range.low, range.high < 0 ? cursor.points() : range.high};
  if (left.low >= left.high) return left;
  cursor.seek(range.low);
  const auto first = static_cast<std::int64_t>(plan_.start);
  for (std::int64_t moved = 0, until_look = 0;
       left.low < left.high && !outcome_.stopped_after(moved); left.low += job.count) {
    job.count = std::min({left.high - left.low, cursor.run_length(), at_once_});
    job.cells = mover_.pattern().indirect + (first + cursor.position(kIndirectTrack)) * plan_.unit;
    job.indices = memory_.first_index(term) + cursor.position(term.track);
    job.updates = mover_.direct() + cursor.position(kDirectTrack);
    job.looks = until_look <= 0;
    until_look = (job.looks ? kBlockPoints : until_look) - job.count;
    const StraightEnd end = straight_(job);
    if (end == StraightEnd::kUnsuited) return left;
    if (end == StraightEnd::kBadIndex) outcome_.stop(RunOutcome::kBadIndex);
    cursor.advance(job.count);
    moved = job.count * (plan_.row_bytes + term.element_bytes);
  }
  return {left.high, left.high};
}

// Reads offsets until the buffer is full or no points are left. Returns false if an index is bad.
bool BoxRunner::read(NestCursor& reads, std::int64_t& left, std::byte* offsets,
                     Ahead& ahead) const {
  // A block that is shorter than the prefetch distance may still hold offsets of earlier reads.
  if (at_once_ >= ahead_) ahead.flags_before = 0;
  ahead.flags_before |= ahead.flags;
  ahead.flags = 0;
  const std::int64_t most = at_once_ + ahead_;
  while (left > 0 && ahead.known < most) {
    const std::int64_t count =
        std::min({left, reads.run_length(), most - ahead.known, kBlockPoints});
    ahead.flags |= read_run(reads, count, offsets + ahead.known * plan_.offset_bytes());
    if ((ahead.flags & kIndexBad) != 0) return false;
    ahead.known += count;
    left -= count;
    reads.advance(count);
  }
  return true;
}

// The indices that come next, if each point has one of its own.
void BoxRunner::set_next(const NestCursor& reads) {
  if (plan_.axes.size() != 1 || (flat_first_ >= 0 && plan_.flat->repeats)) return;
  const AddressTerm& term = plan_.axes.front().terms.front();
  next_ = memory_.first_index(term) + reads.position(term.track);
  next_bytes_ = reads.step(term.track) == term.element_bytes ? term.element_bytes : 0;
}

unsigned BoxRunner::read_run(const NestCursor& reads, std::int64_t count,
                             std::byte* offsets) const {
  if (flat_first_ < 0) return reader_.read(reads, count, offsets);
  return reader_.read_flat(reads, flat_first_ + reads.run_position(), count, offsets);
}

// Moves the next `count` points. A block may span several runs of the innermost loop as long as the
// direct side continues at the same step.
void BoxRunner::move(NestCursor& moves, std::int64_t count, const std::byte* offsets,
                     const Ahead& ahead) {
  Block block = mover_.pattern();
  block.next = next_;
  block.next_bytes = next_bytes_;
  block.direct_step = moves.step(kDirectTrack);
  block.any_outside = ((ahead.flags | ahead.flags_before) & kIndexOutside) != 0;
  for (std::int64_t done = 0; done < count; done += block.count) {
    block.direct = mover_.direct() + moves.position(kDirectTrack);
    block.offsets = offsets + done * plan_.offset_bytes();
    block.known = ahead.known - done;
    block.count = 0;
    do {
      const std::int64_t run = std::min(moves.run_length(), count - done - block.count);
      block.count += run;
      moves.advance(run);
    } while (done + block.count < count && mover_.direct() + moves.position(kDirectTrack) ==
                                               block.direct + block.count * block.direct_step);
    mover_.move(block);
  }
}

}  // namespace windrow::internal
