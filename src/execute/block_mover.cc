#include "src/execute/block_mover.h"

#include <algorithm>

#include "src/base/cache_line.h"
#include "src/execute/offset_block.h"
#include "src/plan/choose_kernel.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

void fetch_some(FetchAhead& fetch) {
  const std::int64_t bytes = std::min<std::int64_t>(fetch.end - fetch.next, kLinesAtOnce * kLine);
  for (std::int64_t at = 0; at < bytes; at += kLine) __builtin_prefetch(fetch.next + at, 0, 3);
  fetch.next += bytes;
}

// Whether all rows of the plan can be written one by one with non-temporal stores.
bool streams_all_rows(const LoweredPlan& plan, const RunMemory& memory) {
  if (plan.row_bytes <= kMostElementBytes) return false;
  std::int64_t steps = 0;
  for (const NestLoop& loop : plan.shared) steps |= loop.strides[kDirectStream];
  for (const NestLoop& loop : plan.addressed) steps |= loop.strides[kDirectStream];
  return streams_rows(reinterpret_cast<std::uintptr_t>(memory.direct), steps, plan.row_bytes);
}

// Whether consecutive points of a nest are `step` bytes apart on the direct side.
bool is_even(const LoopNest& nest, std::int64_t step) {
  return nest.empty() || point_count(nest) == 1 || even_step(nest, kDirectStream) == step;
}

bool is_direct_dense(const LoweredPlan& plan) {
  return is_even(plan.addressed, plan.row_bytes) &&
         is_even(plan.shared, plan.row_bytes * plan.points);
}

}  // namespace

BlockMover::BlockMover(const RunContext& run, CellPlace cells)
    : plan_(run.plan),
      kernels_(run.kernels),
      outcome_(run.outcome),
      direct_(run.memory.direct),
      stage_(run.kernels) {
  const LoweredPlan& plan = run.plan;
  pattern_.indirect = run.cells();
  pattern_.row_bytes = plan.row_bytes;
  pattern_.unit = plan.unit;
  pattern_.wide_offsets = plan.wide_offsets;
  pattern_.ahead = cells == CellPlace::kNear ? 0 : plan.ahead;
  pattern_.fetch_updates = plan.fetch_updates;
  kernel_ = run.kernel();
  if (pattern_.ahead > 0 && plan.row_bytes <= kMostNearRowBytes) near_.emplace();
  if (!run.memory.streams(plan, plan.stream) || plan.scatter || kernel_ == nullptr) return;
  // Non-temporal stores of partial cache lines are slow.
  const bool dense = is_direct_dense(plan);
  pattern_.stream =
      (dense || plan.row_bytes >= kLeastApartBytes) && streams_all_rows(plan, run.memory);
  staged_ = !pattern_.stream && dense && plan.row_bytes <= kMostStagedRowBytes;
}

BlockFunction BlockMover::kernel_for(std::int64_t row_bytes) const {
  return kernels_.block(find_kernel(kernel_query(plan_, row_bytes)));
}

void BlockMover::slice_rows(const Range& slice) {
  direct_ += slice.low;
  pattern_.indirect += slice.low;
  pattern_.row_bytes = slice.high - slice.low;
  pattern_.stream = false;
  staged_ = false;
  if (kernel_ != nullptr && pattern_.row_bytes > 0) kernel_ = kernel_for(pattern_.row_bytes);
}

void BlockMover::keep_owned(const Range& own) {
  owned_ = true;
  own_low_ = static_cast<std::uint64_t>(own.low);
  own_high_ = static_cast<std::uint64_t>(own.high);
}

void BlockMover::move(const Block& block, FetchAhead* fetch) {
  if (block.count == 0 || block.row_bytes == 0) return;
  if (owned_) {
    move_owned(block);
  } else if (plan_.string_kernel != nullptr) {
    move_strings(block);
  } else if (staged_) {
    move_staged(block, fetch);
  } else {
    if (fetch != nullptr) fetch_some(*fetch);
    run_kernel(block);
  }
}

bool BlockMover::is_near(const Block& block) {
  if (!near_ || block.count < NearLines::kSampled) return false;
  const std::int64_t line = std::max(kLine, plan_.row_bytes);
  const auto line_of = [&](auto offsets) {
    return [&block, offsets, line](std::int64_t j) {
      return static_cast<std::int64_t>(offsets[j]) * block.unit / line;
    };
  };
  return block.wide_offsets
             ? near_->sample(line_of(static_cast<const std::uint64_t*>(block.offsets)))
             : near_->sample(line_of(static_cast<const std::uint32_t*>(block.offsets)));
}

void BlockMover::run_kernel(const Block& block) {
  if (!is_near(block)) return kernel_(block);
  Block near = block;
  near.ahead = 0;
  kernel_(near);
}

void BlockMover::move_owned(Block block) {
  alignas(64) std::byte kept[kBlockPoints * 8];
  std::uint32_t positions[kBlockPoints];
  block.count = kernels_.get<Family::kSelectOwned>(Kernel::select_owned)(
      block.offsets, block.wide_offsets, block.count, own_low_, own_high_, kept, positions);
  if (block.count == 0) return;
  block.offsets = kept;
  block.known = block.count;
  block.positions = positions;
  block.any_outside = false;
  if (plan_.string_kernel != nullptr) return move_strings(block);
  run_kernel(block);
}

void BlockMover::move_staged(const Block& block, FetchAhead* fetch) {
  stage_.begin(block.direct);
  const std::int64_t most = StagedRows::rows_at_once(block.row_bytes);
  const std::int64_t offset_bytes = block.wide_offsets ? 8 : 4;
  Block piece = block;
  for (std::int64_t done = 0; done < block.count; done += piece.count) {
    if (fetch != nullptr) fetch_some(*fetch);
    piece.count = std::min(most, block.count - done);
    piece.known = block.known - done;
    piece.offsets = static_cast<const std::byte*>(block.offsets) + done * offset_bytes;
    piece.direct = stage_.room();
    run_kernel(piece);
    stage_.add(piece.count * block.row_bytes);
  }
}

void BlockMover::move_strings(const Block& block) {
  if (!plan_.string_kernel(block)) outcome_.stop(RunOutcome::kOutOfMemory);
}

void BlockMover::finish() {
  if (staged_) stage_.finish();
  if (staged_ || pattern_.stream) flush_streams();
}

}  // namespace windrow::internal
