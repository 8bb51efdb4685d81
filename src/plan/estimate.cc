#include "src/plan/estimate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <variant>

#include "src/base/memory.h"
#include "src/plan/tuning.h"
#include "src/plan/ways.h"

namespace windrow::internal {
namespace {

double points_of(const LoweredPlan& plan) { return static_cast<double>(plan.points); }

double all_points(const LoweredPlan& plan) {
  return points_of(plan) * static_cast<double>(plan.shared_points);
}

bool is_far(const LoweredPlan& plan) {
  return static_cast<double>(plan.offset_count) * static_cast<double>(plan.unit) >
         static_cast<double>(second_level_cache());
}

double move_time(const LoweredPlan& plan, const MachineCosts& costs) {
  if (plan.row_bytes > kMostElementBytes)
    return costs.row + costs.row_byte * static_cast<double>(plan.row_bytes);
  const bool is_odd = !std::has_single_bit(static_cast<std::uint64_t>(plan.row_bytes));
  return (is_odd ? kElementsPerOddRow : 1) * costs.element + (is_far(plan) ? costs.far_element : 0);
}

// Per point of the innermost loop: the cost of a track whose points each use `used` bytes of a
// tensor, with a gap before the next. It is 0 unless a pass of the loop touches more cache lines
// than the second-level cache holds; the next pass fetches the unused parts of these lines again.
double far_walk_time(const NestLoop& loop, std::size_t track, std::int64_t used,
                     const MachineCosts& costs) {
  constexpr auto kLineBytes = static_cast<double>(kLine);
  const double step = std::fabs(static_cast<double>(loop.strides[track]));
  const double of_line = std::min(step, kLineBytes);
  const double touched = of_line * static_cast<double>(loop.extent);
  if (step <= static_cast<double>(used) || touched <= static_cast<double>(second_level_cache()))
    return 0;
  return costs.far_element * kFarPerWalkedLine * of_line / kLineBytes;
}

// Per point of a nest.
double offset_time(const LoweredPlan& plan, const LoopNest& nest, const MachineCosts& costs) {
  double time = costs.block / static_cast<double>(std::min(nest.back().extent, kBlockPoints));
  for (const AddressAxis& axis : plan.axes) {
    for (const AddressTerm& term : axis.terms) {
      const std::int64_t step = nest.back().strides[term.track];
      time += costs.offset + (step != 0 && step != term.element_bytes ? costs.loose_index : 0) +
              far_walk_time(nest.back(), term.track, term.element_bytes, costs);
    }
  }
  return time;
}

// joined: the shared points that make up one block.
double walk_time(const LoweredPlan& plan, const MachineCosts& costs, std::int64_t joined = 1) {
  const LoopNest& nest = plan.flat ? plan.flat->nest : plan.addressed;
  const double direct = far_walk_time(nest.back(), kDirectTrack, plan.row_bytes, costs);
  double time = points_of(plan) * offset_time(plan, nest, costs) +
                all_points(plan) * (move_time(plan, costs) + direct);
  if (plan.shared_points > 1)
    time += static_cast<double>(plan.shared_points) / static_cast<double>(joined) * costs.block;
  else
    time += points_of(plan) / static_cast<double>(std::min(nest.back().extent, kBlockPoints)) *
            costs.block;
  return costs.run + time;
}

double time_of(const LoweredPlan& /*plan*/, const NoPoints& /*way*/,
               const MachineCosts& /*costs*/) {
  return 0;
}

double time_of(const LoweredPlan& plan, const SmallBlock& /*way*/, const MachineCosts& costs) {
  return costs.small_run + points_of(plan) * (costs.offset * static_cast<double>(plan.axes.size()) +
                                              move_time(plan, costs));
}

double time_of(const LoweredPlan& plan, const StraightTakes& /*way*/, const MachineCosts& costs) {
  const double far = is_far(plan) ? costs.far_element : 0;
  const double runs = points_of(plan) / static_cast<double>(plan.addressed.back().extent);
  return costs.run + points_of(plan) * (costs.take * static_cast<double>(plan.axes.size()) + far) +
         runs * kBlocksPerTakenRun * costs.block;
}

double time_of(const LoweredPlan& plan, const FlatTakes& /*way*/, const MachineCosts& costs) {
  return costs.run + points_of(plan) * kTakesPerFlatTake * costs.take;
}

double time_of(const LoweredPlan& plan, const GridCopies& way, const MachineCosts& costs) {
  const bool turns = way.rows.extent > 1 && std::abs(way.rows.strides[kIndirectTrack]) <
                                                std::abs(way.elements.strides[kIndirectTrack]);
  const double rows = turns ? 0 : points_of(plan) / static_cast<double>(way.elements.extent);
  const double far =
      turns ? costs.far_element * kFarPerTurnedByte : costs.row_byte * kRowBytesPerLooseByte;
  const double byte = (turns ? costs.turned_byte : 0) + (is_far(plan) ? far : 0);
  const auto of_grid = static_cast<double>(way.rows.extent * way.elements.extent);
  return costs.run + points_of(plan) / of_grid * costs.block + rows * kRowsPerGridRow * costs.row +
         points_of(plan) * (costs.grid_element + byte * static_cast<double>(plan.row_bytes));
}

double time_of(const LoweredPlan& plan, const SharedOffsets& way, const MachineCosts& costs) {
  return walk_time(plan, costs, std::max<std::int64_t>(way.copies, 1));
}

template <class OneWay>
double time_of(const LoweredPlan& plan, const OneWay& /*way*/, const MachineCosts& costs) {
  return walk_time(plan, costs);
}

}  // namespace

double estimate_time(const LoweredPlan& plan, const MachineCosts& costs) {
  // Only a run shows whether every row of indices holds one index; the next way serves all runs.
  const bool asks = std::holds_alternative<ConstantRows>(plan.ways.front());
  return std::visit([&](const auto& way) { return time_of(plan, way, costs); },
                    plan.ways[asks ? 1 : 0]);
}

double estimate_new_memory(std::int64_t bytes, const MachineCosts& costs) {
  return kRunsPerAllocation * costs.small_run +
         (bytes > kKeptBytes ? costs.new_byte * static_cast<double>(bytes) : 0);
}

}  // namespace windrow::internal
