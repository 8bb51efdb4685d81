#include "src/execute/run_plan.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "src/base/memory.h"
#include "src/execute/find_duplicates.h"
#include "src/execute/offset_block.h"
#include "src/execute/run_memory.h"
#include "src/execute/way_runners.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// Scratch memory: the caller's, or else the run's own.
class Scratch {
 public:
  Scratch(std::size_t bytes, std::span<std::byte> given) : data_(given.data()) {
    if (bytes <= given.size()) return;
    own_bytes_ = bytes;
    data_ = static_cast<std::byte*>(allocate_elements(bytes));
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (!is_missing() && own_bytes_ > 0) free_elements(data_, own_bytes_);
  }
  // Whether the allocation failed.
  bool is_missing() const { return own_bytes_ > 0 && data_ == nullptr; }
  std::byte* data() const { return data_; }

 private:
  std::byte* data_;
  std::size_t own_bytes_ = 0;
};

// A run of a plan. Tries the plan's ways in order.
struct Run {
  const LoweredPlan& plan;
  const KernelTable& kernels;
  RunMemory memory;
  Threads* threads;
  std::span<std::byte> given;
  Outcome outcome{memory.interruption};
  RunContext context{plan, kernels, memory, threads, outcome};

  // Returns nothing if the way does not serve the run; it has then written nothing.
  std::optional<RunOutcome> try_way(const WayRunner& runner) {
    const int tasks = most_tasks(plan, threads == nullptr ? 1 : threads->count());
    if (!runner.serves(context, tasks)) return std::nullopt;
    const Partition partition = tasks < 2 ? Partition{} : runner.cut(plan, tasks);
    const Scratch scratch(runner.scratch_bytes(plan, partition.tasks), given);
    if (scratch.is_missing()) return RunOutcome::kOutOfMemory;
    if (memory.start != nullptr && !runner.copies_start(context)) {
      copy_whole_start(context);
      memory.start = nullptr;
    }
    runner.run(context, partition, scratch.data());
    return outcome.get();
  }

  // Same as try_way(), for index rows whose indices are found first. They run by a plan of their
  // own.
  std::optional<RunOutcome> try_rows(const ConstantRows& way) {
    const Runner<ConstantRows> runner(way);
    if (!runner.serves(context, 1)) return std::nullopt;
    const std::size_t bytes = runner.scratch_bytes(plan, 1);
    const Scratch found(bytes, given);
    if (found.is_missing()) return RunOutcome::kOutOfMemory;
    if (!find_constant_rows(way, context, found.data())) return std::nullopt;
    std::array<const std::byte*, kMostInputs> indices{};
    std::copy(memory.indices.begin(), memory.indices.end(), indices.begin());
    indices[static_cast<std::size_t>(plan.axes.front().terms.front().input)] = found.data();
    RunMemory rows = memory;
    rows.indices = {indices.data(), memory.indices.size()};
    return run_plan(*way.rows, kernels, rows, threads,
                    given.subspan(std::min(bytes, given.size())));
  }

  std::optional<RunOutcome> try_any(const Way& way) {
    if (const auto* rows = std::get_if<ConstantRows>(&way)) return try_rows(*rows);
    return with_runner(way, [this](const WayRunner& runner) { return try_way(runner); });
  }
};

RunOutcome run_loops(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                     Threads* threads, std::span<std::byte> scratch) {
  Run run{plan, kernels, memory, threads, scratch};
  for (const Way& way : plan.ways)
    if (const std::optional<RunOutcome> outcome = run.try_any(way)) return *outcome;
  return run.outcome.stopped() ? run.outcome.get() : RunOutcome::kNoWay;
}

// Copies the start of a run that takes no way, on the calling thread.
void copy_small_start(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                      Threads* threads) {
  Outcome outcome;
  copy_whole_start({plan, kernels, memory, threads, outcome});
}

}  // namespace

std::size_t scratch_bytes(const LoweredPlan& plan, int threads) noexcept {
  const int tasks = most_tasks(plan, threads);
  std::size_t most = 0;
  for (const Way& way : plan.ways) {
    std::size_t bytes = with_runner(
        way, [&](const WayRunner& runner) { return runner.scratch_bytes(plan, tasks); });
    if (const auto* rows = std::get_if<ConstantRows>(&way))
      bytes += scratch_bytes(*rows->rows, threads);
    most = std::max(most, bytes);
  }
  return most;
}

RunOutcome run_plan(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
                    Threads* threads, std::span<std::byte> scratch) noexcept {
  const auto* small = plan.ways.empty() ? nullptr : std::get_if<SmallBlock>(&plan.ways.front());
  if (small == nullptr) return run_loops(plan, kernels, memory, threads, scratch);
  if (memory.start != nullptr) copy_small_start(plan, kernels, memory, threads);
  return run_small(*small, plan, kernels, memory);
}

void describe_ways(const LoweredPlan& plan, PlanDescription& description) {
  for (const Way& way : plan.ways)
    with_runner(way, [&](const WayRunner& runner) { runner.describe(plan, description); });
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

RunOutcome run_small(const SmallBlock& way, const LoweredPlan& plan, const KernelTable& kernels,
                     const RunMemory& memory) noexcept {
  const EvenPoints& small = way.points;
  alignas(64) std::uint32_t offsets[kMostSmallPoints];
  Block block;
  block.offsets = small.offsets.data();
  if (!plan.axes.empty()) {
    std::memcpy(offsets, small.offsets.data(), small.offsets.size() * sizeof(std::uint32_t));
    const unsigned flags = add_axes(plan, kernels, memory, small, offsets);
    if ((flags & kIndexBad) != 0) return RunOutcome::kBadIndex;
    block.offsets = offsets;
    block.any_outside = (flags & kIndexOutside) != 0;
  }
  block.direct = memory.direct;
  block.indirect = memory.indirect + plan.indirect_first;
  block.count = plan.points;
  block.direct_step = small.direct_step;
  block.row_bytes = plan.row_bytes;
  block.unit = plan.unit;
  block.known = plan.points;
  kernels.block(plan.kernel)(block);
  return RunOutcome::kDone;
}

void Runner<SmallBlock>::describe(const LoweredPlan& /*plan*/, PlanDescription& description) const {
  description.one_block = true;
}

}  // namespace windrow::internal
