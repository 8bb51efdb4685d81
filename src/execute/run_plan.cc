#include "src/execute/run_plan.h"

#include <algorithm>
#include <cstring>

#include "src/execute/offset_block.h"
#include "src/execute/run_memory.h"
#include "src/execute/way_runners.h"
#include "src/plan/tuning.h"

namespace windrow::internal {

std::size_t scratch_bytes(const LoweredPlan& plan, int threads) noexcept {
  const int tasks = most_tasks(plan, threads);
  std::size_t most = 0;
  for (const Way& way : plan.ways)
    most = std::max(most, AnyRunner(way)->scratch_bytes(plan, tasks));
  return most;
}

RunOutcome run_plan(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                    Threads* threads, std::span<std::byte> scratch) noexcept {
  Outcome outcome(memory.interruption);
  const RunContext run{plan, kernels, memory, threads, outcome};
  for (const Way& way : plan.ways)
    if (AnyRunner(way)->try_run(run, scratch)) return outcome.get();
  return outcome.stopped() ? outcome.get() : RunOutcome::kNoWay;
}

void describe_ways(const LoweredPlan& plan, PlanDescription& description) {
  for (const Way& way : plan.ways) AnyRunner(way)->describe(plan, description);
  constexpr int kMany = 1 << 20;
  const int most = description.one_block ? 1 : most_tasks(plan, kMany);
  if (most < kMany) description.most_threads = most;
  if (most < 2) description.thread_share.clear();
}

namespace {

static_assert(kMostSmallPoints <= kBlockPoints);

// Adds every axis to `offsets`, which hold the part of the points without their indices. Returns
// kIndex* flags.
unsigned add_axes(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                  const EvenPoints& points, std::uint32_t* offsets) {
  OffsetRun run;
  run.count = plan.points;
  run.accumulate = true;
  run.offsets = offsets;
  unsigned flags = 0;
  for (std::size_t a = 0; a < plan.axes.size(); ++a) {
    const AddressAxis& axis = plan.axes[a];
    const AddressTerm& term = axis.terms.front();
    flags |= add_fused_axis(kernels, axis, memory.first_index(term), points.index_steps[a], run);
    if ((flags & kIndexBad) != 0) return flags;
  }
  return flags;
}

}  // namespace

bool Runner<SmallBlock>::try_run(const RunContext& run, std::span<std::byte> /*given*/) const {
  const LoweredPlan& plan = run.plan;
  const EvenPoints& small = way_.points;
  if (run.memory.start != nullptr) copy_whole_start(run);
  alignas(64) std::uint32_t offsets[kMostSmallPoints];
  Block block;
  block.offsets = small.offsets.data();
  if (!plan.axes.empty()) {
    std::memcpy(offsets, small.offsets.data(), small.offsets.size() * sizeof(std::uint32_t));
    const unsigned flags = add_axes(plan, run.kernels, run.memory, small, offsets);
    if ((flags & kIndexBad) != 0) {
      run.outcome.stop(RunOutcome::kBadIndex);
      return true;
    }
    block.offsets = offsets;
    block.any_outside = (flags & kIndexOutside) != 0;
  }
  block.direct = run.memory.direct;
  block.indirect = run.cells();
  block.count = plan.points;
  block.direct_step = small.direct_step;
  block.row_bytes = plan.row_bytes;
  block.unit = plan.unit;
  block.known = plan.points;
  run.kernel()(block);
  return true;
}

void Runner<SmallBlock>::describe(const LoweredPlan& /*plan*/, PlanDescription& description) const {
  description.one_block = true;
}

}  // namespace windrow::internal
