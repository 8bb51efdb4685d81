#include "src/plan/offsets.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "src/base/integers.h"
#include "src/base/memory.h"
#include "src/plan/tuning.h"

namespace windrow::internal {

bool choose_offsets(const Strides& axis_strides, LoweredPlan& plan) {
  std::int64_t unit = 0;
  for (const std::int64_t stride : axis_strides) unit = std::gcd(unit, stride);
  for (const NestLoop& loop : plan.addressed) unit = std::gcd(unit, loop.strides[kIndirectTrack]);
  plan.unit = unit == 0 ? plan.element_bytes : unit;
  std::int64_t reach = 0;  // units between the lowest and the highest offset
  std::int64_t below = 0;  // the lowest offset in units; at most 0
  const auto extend = [&](std::int64_t stride, std::int64_t extent) {
    const std::int64_t units = stride / plan.unit;
    const auto span = checked_mul(std::abs(units), extent > 0 ? extent - 1 : 0);
    const auto sum = span ? checked_add(reach, *span) : std::nullopt;
    if (!sum) return false;
    reach = *sum;
    if (units < 0) below -= *span;
    return true;
  };
  for (std::size_t a = 0; a < plan.axes.size(); ++a) {
    const std::int64_t stride = axis_strides[static_cast<int>(a)];
    if (!extend(stride, plan.axes[a].extent)) return false;
    plan.axes[a].multiplier = static_cast<std::uint64_t>(stride / plan.unit);
  }
  for (NestLoop& loop : plan.addressed) {
    if (!extend(loop.strides[kIndirectTrack], loop.extent)) return false;
    loop.strides[kIndirectTrack] /= plan.unit;
  }
  if (!checked_mul(reach, plan.unit)) return false;
  plan.start = static_cast<std::uint64_t>(-below);
  plan.indirect_first += below * plan.unit;
  plan.offset_count = static_cast<std::uint64_t>(reach) + 1;
  plan.wide_offsets = plan.offset_count > 0xffffffffU;
  return true;
}

void turn_short_loops(LoopNest& nest, std::int64_t table_bytes, const LoweredPlan& plan) {
  if (plan.scatter || plan.row_bytes > kMostElementBytes) return;
  std::size_t leading = 0;
  while (leading < nest.size() && is_unaddressed(nest[leading])) ++leading;
  std::size_t last = nest.size();
  std::int64_t points = 1;
  std::int64_t reach = plan.row_bytes;
  while (last > leading && is_unaddressed(nest[last - 1]) && points <= kMostTurnedPoints) {
    const NestLoop& loop = nest[--last];
    points *= loop.extent;
    reach = saturating_add(reach, saturating_span(loop.strides[kIndirectTrack], loop.extent - 1));
  }
  if (points == 1 || points > kMostTurnedPoints || last == leading) return;
  const LoopNest addressed(nest.begin() + static_cast<std::ptrdiff_t>(leading),
                           nest.begin() + static_cast<std::ptrdiff_t>(last));
  if (point_count(addressed) < kLeastSharedPoints || point_count(nest) <= kMostSmallPoints ||
      !even_step(addressed, kDirectTrack))
    return;
  // All of them come again to a table that is far, unless they share a line.
  if (reach > kLine && table_bytes > second_level_cache()) return;
  std::rotate(nest.begin() + static_cast<std::ptrdiff_t>(leading),
              nest.begin() + static_cast<std::ptrdiff_t>(last), nest.end());
}

void share_offsets(LoopNest& nest, LoweredPlan& plan) {
  std::size_t leading = 0;
  while (leading < nest.size() && is_unaddressed(nest[leading]) &&
         (!plan.scatter || nest[leading].injective))
    ++leading;
  if (leading == 0 || leading == nest.size()) return;
  const auto cut = nest.begin() + static_cast<std::ptrdiff_t>(leading);
  LoopNest rest(cut, nest.end());
  const auto step = even_step(rest, kDirectTrack);
  if (!step) return;
  // A few offsets are written side by side for several outer points, which then make up one block.
  const std::int64_t points = point_count(rest);
  if (points < kLeastSharedPoints &&
      (plan.scatter || nest[leading - 1].strides[kDirectTrack] != points * *step))
    return;
  plan.shared.assign(nest.begin(), cut);
  nest = std::move(rest);
}

namespace {

bool can_pack(const LoweredPlan& plan) {
  return has_lanes(plan) && !plan.wide_offsets && plan.start == 0 &&
         plan.row_bytes <= kMostElementBytes &&
         plan.addressed[plan.addressed.size() - 2].strides[kIndirectTrack] == 0 &&
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
  return axis.fused && is_plain_index(term) && lanes.strides[term.track] == term.element_bytes &&
         lanes.strides[kIndirectTrack] * plan.unit == plan.row_bytes &&
         lanes.strides[kDirectTrack] == plan.row_bytes && (!plan.scatter || lanes.injective);
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
