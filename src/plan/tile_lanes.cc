#include "src/plan/tile_lanes.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "src/plan/thresholds.h"

namespace windrow::internal {

namespace {

constexpr std::int64_t kLine = 64;
// A tile's row is part of one block of points.
constexpr std::int64_t kMostLanes = 1024;

// The product of the addressed axes' extents; 0 if it exceeds kMostPackedBytes.
std::int64_t addressed_rows(const LoweredPlan& plan) {
  std::int64_t rows = 1;
  for (const AddressAxis& axis : plan.axes) {
    if (axis.extent > kMostPackedBytes / rows) return 0;
    rows *= std::max<std::int64_t>(axis.extent, 1);
  }
  return rows;
}

bool returns_to_lanes(const LoopNest& nest) {
  for (std::size_t l = 0; l + 1 < nest.size(); ++l)
    if (nest[l].strides[kIndirectStream] == 0) return true;
  return false;
}

// One index row of plain integers per row of lanes, which are neighbours on all sides.
bool can_pack(const LoweredPlan& plan) {
  if (plan.axes.size() != 1 || plan.addressed.size() < 2 || plan.wide_offsets || plan.start != 0 ||
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
  return extent * kLine <= kMostPackedBytes && extent / kCellsPerPoint <= rows.extent;
}

// Lanes of so many bytes in all, in whole cache lines.
std::int64_t tile_of(std::int64_t bytes, std::int64_t rows, std::int64_t lane_bytes) {
  const std::int64_t line = kLine / lane_bytes;
  const std::int64_t lanes = std::min(bytes / (rows * lane_bytes), kMostLanes);
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
  const NestLoop& lanes = plan.addressed.back();
  if (plan.axes.empty() || !plan.shared.empty() || !returns_to_lanes(plan.addressed)) return;
  if (plan.scatter && !lanes.injective) return;
  const std::int64_t lane_bytes = std::abs(lanes.strides[kIndirectStream]) * plan.unit;
  const std::int64_t rows = addressed_rows(plan);
  if (lane_bytes == 0 || lane_bytes >= kLine || rows == 0) return;
  const bool large = lanes.extent > kTileBytes / (rows * lane_bytes);
  if (tuning.tile ? *tuning.tile == 0 : !large) return;
  plan.packed = can_pack(plan) && tuning.pack.value_or(pays_to_pack(plan));
  // At least a cache line, or fetched lines would be used only in part.
  const std::int64_t tile =
      tuning.tile.value_or(tile_of(plan.packed ? kPackedBytes : kTileBytes, rows, lane_bytes));
  if (plan.packed) plan.around_tiles = loops_around_tiles(plan);
  if (plan.packed || tile < lanes.extent) plan.tile = std::min(tile, lanes.extent);
}

}  // namespace windrow::internal
