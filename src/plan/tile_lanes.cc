#include "src/plan/tile_lanes.h"

#include <algorithm>
#include <utility>

#include "src/base/cache_line.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {

namespace {

// A tile's row is part of one block of points.
constexpr std::int64_t kMostLanes = 1024;

// One index row of plain integers per row of lanes, which are neighbours on all sides.
bool can_pack(const LoweredPlan& plan) {
  if (plan.axes.size() != 1 || plan.addressed.size() < 2 || !plan.shared.empty() ||
      plan.wide_offsets || plan.start != 0 || plan.row_bytes > kMostPackedElement ||
      plan.dtype == DType::kString)
    return false;
  const AddressAxis& axis = plan.axes.front();
  const AddressTerm& term = axis.terms.front();
  const NestLoop& rows = plan.addressed[plan.addressed.size() - 2];
  const NestLoop& lanes = plan.addressed.back();
  return axis.fused && (term.dtype == DType::kInt32 || term.dtype == DType::kInt64) &&
         lanes.strides[term.stream] == term.element_bytes && rows.strides[kIndirectStream] == 0 &&
         lanes.strides[kIndirectStream] * plan.unit == plan.row_bytes &&
         lanes.strides[kDirectStream] == plan.row_bytes &&
         static_cast<std::int64_t>(axis.multiplier) > 0;
}

bool pays_to_pack(const LoweredPlan& plan) {
  const NestLoop& rows = plan.addressed[plan.addressed.size() - 2];
  const std::int64_t extent = plan.axes.front().extent;
  const std::int64_t lanes_bytes = plan.addressed.back().extent * plan.row_bytes;
  return extent > 0 && extent <= kMostPackedBytes / kLine &&
         extent / kCellsPerPoint <= rows.extent && lanes_bytes >= kLeastPackedRowBytes &&
         lanes_bytes > kLeastPackedBytes / extent;
}

// Lanes of kPackedBytes in all, in whole cache lines.
std::int64_t choose_tile(const LoweredPlan& plan) {
  const std::int64_t extent = std::max<std::int64_t>(plan.axes.front().extent, 1);
  const std::int64_t line = kLine / plan.row_bytes;
  const std::int64_t lanes = std::min(kPackedBytes / (extent * plan.row_bytes), kMostLanes);
  return std::max(lanes / line * line, line);
}

LoopNest loops_around_tiles(const LoweredPlan& plan) {
  LoopNest around(plan.addressed.begin(), plan.addressed.end() - 2);
  if (around.empty()) {
    NestLoop once;
    once.strides.assign(plan.addressed.back().strides.size(), 0);
    around.push_back(std::move(once));
  }
  return around;
}

}  // namespace

void tile_lanes(const Tuning& tuning, LoweredPlan& plan) {
  if (!can_pack(plan) || tuning.tile == 0 || !tuning.pack.value_or(true)) return;
  const NestLoop& lanes = plan.addressed.back();
  if (plan.scatter && !lanes.injective) return;
  const bool forced = tuning.tile || tuning.pack;
  if (!forced && !pays_to_pack(plan)) return;
  plan.tile = std::min(tuning.tile.value_or(choose_tile(plan)), lanes.extent);
  plan.around_tiles = loops_around_tiles(plan);
}

}  // namespace windrow::internal
