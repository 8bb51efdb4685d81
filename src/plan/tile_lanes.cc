#include "src/plan/tile_lanes.h"

#include <algorithm>
#include <cstdlib>

namespace windrow::internal {

namespace {

// What the lanes of one tile may address together: half of a usual second-level cache.
constexpr std::int64_t kTileBytes = std::int64_t{512} << 10;
constexpr std::int64_t kCacheLine = 64;

// The product of the addressed axes' extents; 0 if it exceeds kTileBytes.
std::int64_t addressed_rows(const LoweredPlan& plan) {
  std::int64_t rows = 1;
  for (const AddressAxis& axis : plan.axes) {
    if (axis.extent > kTileBytes / rows) return 0;
    rows *= std::max<std::int64_t>(axis.extent, 1);
  }
  return rows;
}

bool returns_to_lanes(const LoopNest& nest) {
  for (std::size_t l = 0; l + 1 < nest.size(); ++l)
    if (nest[l].strides[kIndirectStream] == 0) return true;
  return false;
}

}  // namespace

void tile_lanes(LoweredPlan& plan) {
  const NestLoop& lanes = plan.addressed.back();
  if (plan.axes.empty() || !plan.shared.empty() || !returns_to_lanes(plan.addressed)) return;
  if (plan.scatter && !lanes.injective) return;
  const std::int64_t lane_bytes = std::abs(lanes.strides[kIndirectStream]) * plan.unit;
  if (lane_bytes == 0 || lane_bytes >= kCacheLine) return;
  const std::int64_t rows = addressed_rows(plan);
  if (rows == 0 || lanes.extent <= kTileBytes / (rows * lane_bytes)) return;
  // At least a cache line, or fetched lines would be used only in part.
  const std::int64_t tile = std::max(kCacheLine / lane_bytes, kTileBytes / (rows * lane_bytes));
  if (tile < lanes.extent) plan.tile = tile;
}

}  // namespace windrow::internal
