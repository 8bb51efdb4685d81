#include <algorithm>

#include "src/base/memory.h"
#include "src/execute/offset_block.h"
#include "src/execute/partition.h"
#include "src/execute/way_runners.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// The bytes of the cells of one tile.
std::int64_t tile_bytes(const LoweredPlan& plan, const PackedLanes& way) {
  return plan.axes.front().extent * way.tile * plan.row_bytes;
}

// The position of a tile for one point of the outer loops.
struct Tile {
  std::int64_t lanes = 0;
  std::byte* direct = nullptr;  // first row
  const std::byte* indices = nullptr;
  std::byte* cells = nullptr;  // cell of the first coordinate
};

// The tiles of one task.
class TilesRunner {
 public:
  // `packed` must have room for the cells of a tile.
  TilesRunner(const RunContext& run, const PackedLanes& way, std::byte* packed)
      : run_(run),
        plan_(run.plan),
        way_(way),
        packed_(packed),
        to_start_(run.memory.start == nullptr ? 0 : run.memory.start - run.memory.indirect),
        axis_(plan_.axes.front()),
        term_(axis_.terms.front()),
        rows_(plan_.addressed[plan_.addressed.size() - 2]),
        pitch_(static_cast<std::int64_t>(axis_.multiplier) * plan_.unit),
        stream_(run.memory.streams(plan_, way.stream)) {}

  // Runs a range of lanes, for all points of the other loops.
  void run(const Range& lanes);

 private:
  std::int64_t first_tile(const std::byte* written) const;
  void run_tile(const Tile& tile);
  bool run_rows(const Tile& tile, std::int64_t first, std::int64_t rows);
  void copy_cells(const Tile& tile, bool back);
  Plane direct_plane(const Tile& tile, std::int64_t first, std::int64_t rows) const;

  const RunContext& run_;
  const LoweredPlan& plan_;
  const PackedLanes& way_;
  std::byte* packed_;
  std::ptrdiff_t to_start_;  // bytes from a cell to its value in the start
  const AddressAxis& axis_;
  const AddressTerm& term_;
  const NestLoop& rows_;
  std::int64_t pitch_;  // bytes from one coordinate's cells to those of the next
  bool stream_;
  alignas(64) std::byte direct_[kBlockPoints * kMostElementBytes];
};

// The lanes of the first tile, which ends at a cache line of the written side so that all other
// tiles have whole lines.
std::int64_t TilesRunner::first_tile(const std::byte* written) const {
  const std::int64_t shift = line_offset(written) / plan_.row_bytes;
  return way_.tile > shift ? way_.tile - shift : way_.tile;
}

void TilesRunner::run(const Range& lanes) {
  const std::int64_t width = plan_.row_bytes;
  NestCursor outer(way_.around, {});
  for (std::int64_t left = outer.points(); left > 0; --left) {
    std::byte* direct = run_.memory.direct + outer.position(kDirectTrack);
    std::byte* cells = run_.cells() + outer.position(kIndirectTrack) * plan_.unit;
    const std::byte* indices = run_.memory.first_index(term_) + outer.position(term_.track);
    Tile tile;
    for (std::int64_t low = lanes.low; low < lanes.high; low += tile.lanes) {
      const std::byte* written = (plan_.scatter ? cells : direct) + low * width;
      tile.lanes = std::min(lanes.high - low, first_tile(written));
      tile.direct = direct + low * width;
      tile.cells = cells + low * width;
      tile.indices = indices + low * term_.element_bytes;
      run_tile(tile);
      if (run_.outcome.stopped()) return;
    }
    outer.advance(1);
  }
  if (stream_) flush_streams();
}

void TilesRunner::run_tile(const Tile& tile) {
  copy_cells(tile, false);
  const std::int64_t most = std::max<std::int64_t>(kBlockPoints / tile.lanes, 1);
  const std::int64_t bytes = most * tile.lanes * (plan_.row_bytes + term_.element_bytes);
  for (std::int64_t first = 0; first < rows_.extent; first += most) {
    if (!run_rows(tile, first, std::min(most, rows_.extent - first)))
      return run_.outcome.stop(RunOutcome::kBadIndex);
    if (run_.outcome.stopped_after(bytes)) return;
  }
  if (plan_.scatter) copy_cells(tile, true);
}

Plane TilesRunner::direct_plane(const Tile& tile, std::int64_t first, std::int64_t rows) const {
  Plane plane;
  plane.rows = rows;
  plane.row_bytes = tile.lanes * plan_.row_bytes;
  std::byte* direct = tile.direct + first * rows_.strides[kDirectTrack];
  plane.from = plane.to = direct;
  plane.from_step = plane.to_step = rows_.strides[kDirectTrack];
  return plane;
}

bool TilesRunner::run_rows(const Tile& tile, std::int64_t first, std::int64_t rows) {
  alignas(64) std::uint32_t offsets[kBlockPoints];
  OffsetRun run;
  run.indices = tile.indices + first * rows_.strides[term_.track];
  run.count = tile.lanes;
  run.runs = rows;
  run.run_step = rows_.strides[term_.track];
  run.ahead = kTileRowsAhead;
  run.known_runs = rows_.extent - first;
  run.extent = axis_.extent;
  run.wraps = term_.wraps;
  run.padding = term_.padding;
  run.multiplier = static_cast<std::uint64_t>(tile.lanes);
  run.lane_step = 1;
  run.offsets = offsets;
  run.policy = axis_.policy;
  const unsigned flags = run_.kernels.of_type<Family::kOffsets>(term_.dtype)(run);
  if ((flags & kIndexBad) != 0) return false;
  Block block;
  block.direct = direct_;
  block.indirect = packed_;
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
    run_.kernels.copy_plane(plane);
  }
  run_.kernel()(block);
  if (!plan_.scatter) {
    plane.from = direct_;
    plane.from_step = plane.row_bytes;
    plane.stream = stream_;
    run_.kernels.copy_plane(plane);
  }
  return true;
}

void TilesRunner::copy_cells(const Tile& tile, bool back) {
  Plane plane;
  plane.rows = plane.known_rows = axis_.extent;
  plane.row_bytes = tile.lanes * plan_.row_bytes;
  if (back) {
    plane.from = packed_;
    plane.from_step = plane.row_bytes;
    plane.to = tile.cells;
    plane.to_step = pitch_;
    plane.stream = stream_;
  } else {
    plane.from = tile.cells + to_start_;
    plane.from_step = pitch_;
    plane.to = packed_;
    plane.to_step = plane.row_bytes;
    plane.ahead = kPackRowsAhead;
  }
  run_.kernels.copy_plane(plane);
}

}  // namespace

// Tasks meet between cache lines.
Partition Runner<PackedLanes>::cut(const LoweredPlan& plan, int tasks) const {
  const std::int64_t lines = plan.addressed.back().extent * plan.row_bytes / kLine;
  return {.cut = Cut::kLoop,
          .tasks = static_cast<int>(std::clamp<std::int64_t>(lines, 1, tasks)),
          .loop = static_cast<int>(plan.addressed.size()) - 1};
}

std::size_t Runner<PackedLanes>::scratch_bytes(const LoweredPlan& plan, int tasks) const {
  return static_cast<std::size_t>(tasks * whole_lines(tile_bytes(plan, way_)));
}

// Packing copies the start if the tiles hold every cell of the output.
bool Runner<PackedLanes>::copies_start(const RunContext& run) const {
  for (const NestLoop& outer : way_.around)
    if (outer.extent > 1 && (!outer.injective || outer.strides[kIndirectTrack] == 0)) return false;
  return way_.cell_bytes == run.memory.start_bytes;
}

void Runner<PackedLanes>::run_task(const Task& task) const {
  const LoweredPlan& plan = task.run.plan;
  TilesRunner(task.run, way_, task.scratch)
      .run(task.share_lines(plan.addressed.back().extent, kLine / plan.row_bytes));
}

void Runner<PackedLanes>::describe(const LoweredPlan& plan, PlanDescription& description) const {
  description.tile = way_.tile;
  description.tile_bytes = tile_bytes(plan, way_);
  WayRunner::describe(plan, description);
}

}  // namespace windrow::internal
