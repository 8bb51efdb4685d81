#include "src/execute/run_lanes.h"

#include <algorithm>

#include "src/base/cache_line.h"
#include "src/execute/nest_cursor.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

// Of all tiles.
std::int64_t cell_bytes(const LoweredPlan& plan) {
  return point_count(plan.around_tiles) * plan.axes.front().extent * plan.addressed.back().extent *
         plan.row_bytes;
}

}  // namespace

LanesRunner::LanesRunner(const LoweredPlan& plan, const KernelTable& kernels,
                         const RunMemory& memory, const std::byte* start, Outcome& outcome)
    : plan_(plan),
      kernels_(kernels),
      memory_(memory),
      to_start_(start - memory.indirect),
      outcome_(outcome),
      axis_(plan.axes.front()),
      term_(axis_.terms.front()),
      rows_(plan.addressed[plan.addressed.size() - 2]),
      pitch_(static_cast<std::int64_t>(axis_.multiplier) * plan.unit),
      stream_(
          memory.streams(plan, plan.scatter ? cell_bytes(plan) >= plan.stream_from : plan.stream)) {
  memory_.indirect += plan.indirect_first;
}

std::size_t LanesRunner::scratch_bytes(const LoweredPlan& plan) {
  const std::int64_t bytes = plan.axes.front().extent * plan.tile * plan.row_bytes;
  return static_cast<std::size_t>(whole_lines(bytes));
}

// The first tile ends where a cache line of the written side does, so that all others have whole
// lines.
std::int64_t LanesRunner::first_tile(const std::byte* written) const {
  const std::int64_t shift = line_offset(written) / plan_.row_bytes;
  return plan_.tile > shift ? plan_.tile - shift : plan_.tile;
}

void LanesRunner::run(const Range& lanes, std::byte* packed) {
  const std::int64_t width = plan_.row_bytes;
  NestCursor outer(plan_.around_tiles, {});
  for (std::int64_t left = outer.points(); left > 0; --left) {
    std::byte* direct = memory_.direct + outer.position(kDirectStream);
    std::byte* cells = memory_.indirect + outer.position(kIndirectStream) * plan_.unit;
    const std::byte* indices = memory_.indices[static_cast<std::size_t>(term_.input)] +
                               term_.first_byte + outer.position(term_.stream);
    Tile tile;
    for (std::int64_t low = lanes.low; low < lanes.high; low += tile.lanes) {
      const std::byte* written = (plan_.scatter ? cells : direct) + low * width;
      tile.lanes = std::min(lanes.high - low, first_tile(written));
      tile.direct = direct + low * width;
      tile.cells = cells + low * width;
      tile.indices = indices + low * term_.element_bytes;
      run_tile(tile, packed);
      if (outcome_.stopped()) return;
    }
    outer.advance(1);
  }
  if (stream_) flush_streams();
}

void LanesRunner::run_tile(const Tile& tile, std::byte* packed) {
  copy_cells(tile, packed, false);
  const std::int64_t most = std::max<std::int64_t>(kBlockPoints / tile.lanes, 1);
  const std::int64_t bytes = most * tile.lanes * (plan_.row_bytes + term_.element_bytes);
  for (std::int64_t first = 0; first < rows_.extent; first += most) {
    if (!run_rows(tile, first, std::min(most, rows_.extent - first), packed))
      return outcome_.stop(RunOutcome::kBadIndex);
    if (outcome_.stopped_after(bytes)) return;
  }
  if (plan_.scatter) copy_cells(tile, packed, true);
}

Plane LanesRunner::direct_plane(const Tile& tile, std::int64_t first, std::int64_t rows) const {
  Plane plane;
  plane.rows = rows;
  plane.row_bytes = tile.lanes * plan_.row_bytes;
  std::byte* direct = tile.direct + first * rows_.strides[kDirectStream];
  plane.from = plane.to = direct;
  plane.from_step = plane.to_step = rows_.strides[kDirectStream];
  return plane;
}

bool LanesRunner::run_rows(const Tile& tile, std::int64_t first, std::int64_t rows,
                           std::byte* packed) {
  alignas(64) std::uint32_t offsets[kBlockPoints];
  OffsetRun run;
  run.indices = tile.indices + first * rows_.strides[term_.stream];
  run.count = tile.lanes;
  run.runs = rows;
  run.run_step = rows_.strides[term_.stream];
  run.ahead = kTileRowsAhead;
  run.known_runs = rows_.extent - first;
  run.extent = axis_.extent;
  run.wraps = term_.wraps;
  run.multiplier = static_cast<std::uint64_t>(tile.lanes);
  run.lane_step = 1;
  run.offsets = offsets;
  run.policy = axis_.policy;
  const unsigned flags = kernels_.of_type<Family::kOffsets>(term_.dtype)(run);
  if ((flags & kIndexBad) != 0) return false;
  Block block;
  block.direct = direct_;
  block.indirect = packed;
  block.count = block.known = rows * tile.lanes;
  block.direct_step = block.row_bytes = block.unit = plan_.row_bytes;
  block.offsets = offsets;
  block.any_outside = (flags & kIndexOutside) != 0;
  Plane plane = direct_plane(tile, first, rows);
  if (plan_.scatter) {
    plane.to = direct_;
    plane.to_step = plane.row_bytes;
    plane.ahead = kTileRowsAhead;
    plane.known_rows = rows_.extent - first;
    kernels_.copy_plane(plane);
  }
  kernels_.block(plan_.kernel)(block);
  if (!plan_.scatter) {
    plane.from = direct_;
    plane.from_step = plane.row_bytes;
    plane.stream = stream_;
    kernels_.copy_plane(plane);
  }
  return true;
}

void LanesRunner::copy_cells(const Tile& tile, std::byte* packed, bool back) {
  Plane plane;
  plane.rows = plane.known_rows = axis_.extent;
  plane.row_bytes = tile.lanes * plan_.row_bytes;
  if (back) {
    plane.from = packed;
    plane.from_step = plane.row_bytes;
    plane.to = tile.cells;
    plane.to_step = pitch_;
    plane.stream = stream_;
  } else {
    plane.from = tile.cells + to_start_;
    plane.from_step = pitch_;
    plane.to = packed;
    plane.to_step = plane.row_bytes;
    plane.ahead = kPackRowsAhead;
  }
  kernels_.copy_plane(plane);
}

}  // namespace windrow::internal
