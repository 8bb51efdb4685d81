#include "src/execute/run_small.h"

#include <cstring>

#include "src/execute/offset_block.h"
#include "src/execute/way_runners.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
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
