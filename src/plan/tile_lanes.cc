#include "src/plan/tile_lanes.h"

#include <algorithm>
#include <utility>

#include "src/base/cache_line.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

bool can_pack(const LoweredPlan& plan) {
  return has_lanes(plan) && !plan.wide_offsets && plan.start == 0 &&
         plan.row_bytes <= kMostElementBytes &&
         plan.addressed[plan.addressed.size() - 2].strides[kIndirectStream] == 0 &&
         static_cast<std::int64_t>(plan.axes.front().multiplier) > 0;
}

bool pays_to_pack(std::int64_t cache, const LoweredPlan& plan) {
  const NestLoop& rows = plan.addressed[plan.addressed.size() - 2];
  const std::int64_t extent = plan.axes.front().extent;
  const std::int64_t lanes_bytes = plan.addressed.back().extent * plan.row_bytes;
  return extent > 0 && extent <= packed_bytes(cache) / kLine &&
         extent / kCellsPerPoint <= rows.extent && lanes_bytes >= kLeastPackedRowBytes &&
         lanes_bytes > least_packed_bytes(cache) / extent;
}

// The number of lanes whose cells fill packed_bytes(), in whole cache lines. A row of a tile is
// part of a block.
std::int64_t choose_tile(std::int64_t cache, const LoweredPlan& plan) {
  const std::int64_t extent = std::max<std::int64_t>(plan.axes.front().extent, 1);
  const std::int64_t line = kLine / plan.row_bytes;
  const std::int64_t lanes =
      std::min(packed_bytes(cache) / (extent * plan.row_bytes), kBlockPoints);
  return std::max(lanes / line * line, line);
}

}  // namespace

bool has_lanes(const LoweredPlan& plan) {
  if (plan.axes.size() != 1 || plan.addressed.size() < 2 || !plan.shared.empty() ||
      plan.dtype == DType::kString)
    return false;
  const AddressAxis& axis = plan.axes.front();
  const AddressTerm& term = axis.terms.front();
  const NestLoop& lanes = plan.addressed.back();
  return axis.fused && is_plain_index(term) && lanes.strides[term.stream] == term.element_bytes &&
         lanes.strides[kIndirectStream] * plan.unit == plan.row_bytes &&
         lanes.strides[kDirectStream] == plan.row_bytes && (!plan.scatter || lanes.injective);
}

std::int64_t tile_lanes(const Tuning& tuning, const LoweredPlan& plan) {
  const std::int64_t cache = tuning.second_level_bytes;
  if (!can_pack(plan) || !tuning.pack.value_or(true)) return 0;
  const bool forced = tuning.tile || tuning.pack;
  if (!forced && !pays_to_pack(cache, plan)) return 0;
  return std::min(tuning.tile ? *tuning.tile : choose_tile(cache, plan),
                  plan.addressed.back().extent);
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

}  // namespace windrow::internal
