#include "src/plan/choose_ways.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "src/plan/choose_movement.h"
#include "src/plan/find_index_rows.h"
#include "src/plan/find_small.h"
#include "src/plan/flatten_runs.h"
#include "src/plan/straight_takes.h"
#include "src/plan/thresholds.h"
#include "src/plan/tile_lanes.h"

// The one place that decides how a plan runs: scripts/check_plan.py sees to it.
namespace windrow::internal {
namespace {

SharedOffsets shared_offsets(std::int64_t cache, const LoweredPlan& plan) {
  const std::int64_t most = most_fetched_at_once(cache);
  const bool fetches = plan.offset_count <= static_cast<std::uint64_t>(most / plan.unit);
  return {
      std::min(plan.points, shared_chunk(cache)),
      fetches ? static_cast<std::int64_t>(plan.offset_count - 1) * plan.unit + plan.row_bytes : 0};
}

// Ways that take elements straight from their indices; false if there is none.
bool add_takes(const Tuning& tuning, LoweredPlan& plan) {
  if (!tuning.straight.value_or(true) || !can_take_straight(plan)) return false;
  const bool flat = can_take_flat(plan);
  const bool short_runs = plan.flat && plan.flat->length < kLeastStraightRun;
  if (!flat && short_runs && !tuning.straight) return false;
  const bool gathers = tuning.gathers ? *tuning.gathers : has_fast_gathers();
  if (flat) {
    plan.ways.emplace_back(FlatTakes{gathers});
  } else {
    plan.flat.reset();
  }
  plan.ways.emplace_back(StraightTakes{gathers});
  // Each run of indices has a table of its own, which may be near although all of them are not.
  if (!tuning.prefetch && plan.axes.size() == 1 && axis_bytes(plan) <= kFetchElementsBytes)
    plan.ahead = 0;
  return true;
}

// The bytes of the output's piece that belongs to each counter of the first loop; 0 if the cells of
// two counters lie among each other.
std::int64_t piece_bytes(std::int64_t cache, const LoweredPlan& plan) {
  const NestLoop& first = plan.addressed.front();
  const std::int64_t units = first.strides[kIndirectStream];
  if (!first.injective || units <= 0 || plan.start != 0 || plan.indirect_first != 0 ||
      plan.dtype == DType::kString)
    return 0;
  const std::int64_t piece = units * plan.unit;
  const auto reach = static_cast<std::int64_t>(plan.offset_count) - 1 - units * (first.extent - 1);
  return piece <= most_piece_bytes(cache) && reach * plan.unit + plan.row_bytes <= piece ? piece
                                                                                         : 0;
}

bool can_use_buckets(const LoweredPlan& plan) {
  return plan.kernel != BlockKernel::kCount && !plan.wide_offsets && plan.row_bytes <= plan.unit &&
         plan.points <= std::numeric_limits<std::uint32_t>::max() &&
         even_step(plan.addressed, kDirectStream);
}

// Ways of a scatter before Boxes.
void add_scatters(const Tuning& tuning, LoweredPlan& plan) {
  const std::int64_t cache = tuning.second_level_bytes;
  const bool buckets = tuning.buckets.value_or(true) && can_use_buckets(plan);
  const bool forced = buckets && tuning.buckets.has_value();
  const std::int64_t piece =
      tuning.fused_copy.value_or(true) && !forced ? piece_bytes(cache, plan) : 0;
  if (piece > 0) {
    const std::int64_t fitting = std::max<std::int64_t>(pieces_bytes(cache) / piece, 1);
    plan.ways.emplace_back(Pieces{piece, std::min(fitting, plan.addressed.front().extent)});
  }
  if (tuning.sorted.value_or(true)) plan.ways.emplace_back(SortedRanges{});
  if (buckets) plan.ways.emplace_back(Buckets{bucket_bytes(cache), forced});
}

// The ways that walk loops.
void add_walks(const Tuning& tuning, LoweredPlan& plan) {
  if (tuning.flat_runs.value_or(true)) plan.flat = flatten_runs(plan, kMostFlatRun);
  if (add_takes(tuning, plan)) return;
  if (plan.scatter) add_scatters(tuning, plan);
  plan.ways.emplace_back(Boxes{});
}

void add_constant_rows(const Tuning& tuning, LoweredPlan& plan) {
  if (!tuning.constant_rows.value_or(true) || !has_index_rows(tuning, plan)) return;
  const std::shared_ptr<LoweredPlan> rows = lower_index_rows(plan);
  if (rows == nullptr) return;
  choose_movement(tuning, *rows);
  add_walks(tuning, *rows);
  plan.ways.emplace_back(ConstantRows{rows, {plan.addressed.begin(), plan.addressed.end() - 1}});
}

}  // namespace

void choose_ways(const Tuning& tuning, LoweredPlan& plan) {
  if (plan.points == 0) {
    plan.ways.emplace_back(NoPoints{});
    return;
  }
  // What is forced shows in the loops only.
  if (!tuning.forces_levers) {
    if (auto points = find_even_points(plan)) {
      plan.ways.emplace_back(SmallBlock{*std::move(points)});
      return;
    }
  }
  add_constant_rows(tuning, plan);
  if (!plan.shared.empty()) {
    plan.ways.emplace_back(shared_offsets(tuning.second_level_bytes, plan));
  } else if (const std::int64_t tile = tile_lanes(tuning, plan); tile > 0) {
    plan.ways.emplace_back(PackedLanes{tile, loops_around_tiles(plan)});
  } else {
    add_walks(tuning, plan);
  }
}

}  // namespace windrow::internal
