#include "src/plan/estimate.h"

#include <algorithm>
#include <cstdlib>
#include <variant>

#include "src/base/memory.h"
#include "src/plan/tuning.h"
#include "src/plan/ways.h"

namespace windrow::internal {
namespace {

// Nanoseconds. docs/performance/thresholds.md has the measurements.
constexpr double kSmallRun = 40;     // a run of one block, besides its points
constexpr double kRun = 150;         // any other run
constexpr double kBlock = 25;        // a block of the blocks that a cursor cuts, and its offsets
constexpr double kOffset = 0.5;      // an offset of a point
constexpr double kLooseIndex = 0.6;  // an index that is not read with its neighbours
constexpr double kElement = 0.5;     // moving an element at an offset
constexpr double kFarElement = 0.8;  // more, if the indirect side is not in a near cache
constexpr double kRow = 2;           // moving a row, besides its bytes
constexpr double kRowByte = 0.04;
constexpr double kTake = 0.6;      // an element taken straight
constexpr double kTakenRun = 12;   // a run of them
constexpr double kFlatTake = 0.8;  // an element taken straight along flat runs
constexpr double kGridRow = 4;     // a row of a grid
constexpr double kGridElement = 0.35;
constexpr double kTurnedElement = 0.7;  // of a grid that changes the order
constexpr double kAllocation = 80;
constexpr double kPageByte = 0.06;  // of new memory whose pages are touched
constexpr std::int64_t kKeptBytes = std::int64_t{128} << 10;  // smaller memory is used again

double points_of(const LoweredPlan& plan) { return static_cast<double>(plan.points); }

double all_points(const LoweredPlan& plan) {
  return points_of(plan) * static_cast<double>(plan.shared_points);
}

bool is_far(const LoweredPlan& plan) {
  return static_cast<double>(plan.offset_count) * static_cast<double>(plan.unit) >
         static_cast<double>(second_level_cache());
}

double move_time(const LoweredPlan& plan) {
  if (plan.row_bytes > kMostElementBytes)
    return kRow + kRowByte * static_cast<double>(plan.row_bytes);
  return kElement + (is_far(plan) ? kFarElement : 0);
}

// Per point of a nest.
double offset_time(const LoweredPlan& plan, const LoopNest& nest) {
  double time = kBlock / static_cast<double>(std::min(nest.back().extent, kBlockPoints));
  for (const AddressAxis& axis : plan.axes) {
    for (const AddressTerm& term : axis.terms) {
      const std::int64_t step = nest.back().strides[term.track];
      time += kOffset + (step != 0 && step != term.element_bytes ? kLooseIndex : 0);
    }
  }
  return time;
}

double walk_time(const LoweredPlan& plan) {
  const LoopNest& nest = plan.flat ? plan.flat->nest : plan.addressed;
  double time = points_of(plan) * offset_time(plan, nest) + all_points(plan) * move_time(plan);
  if (plan.shared_points > 1)
    time += static_cast<double>(plan.shared_points) * kBlock;
  else
    time +=
        points_of(plan) / static_cast<double>(std::min(nest.back().extent, kBlockPoints)) * kBlock;
  return kRun + time;
}

double time_of(const LoweredPlan& /*plan*/, const NoPoints& /*way*/) { return 0; }

double time_of(const LoweredPlan& plan, const SmallBlock& /*way*/) {
  return kSmallRun +
         points_of(plan) * (kOffset * static_cast<double>(plan.axes.size()) + move_time(plan));
}

double time_of(const LoweredPlan& plan, const StraightTakes& /*way*/) {
  const double far = is_far(plan) ? kFarElement : 0;
  const double runs = points_of(plan) / static_cast<double>(plan.addressed.back().extent);
  return kRun + points_of(plan) * (kTake * static_cast<double>(plan.axes.size()) + far) +
         runs * kTakenRun;
}

double time_of(const LoweredPlan& plan, const FlatTakes& /*way*/) {
  return kRun + points_of(plan) * kFlatTake;
}

double time_of(const LoweredPlan& plan, const GridCopies& way) {
  const bool turns = way.rows.extent > 1 && std::abs(way.rows.strides[kIndirectTrack]) <
                                                std::abs(way.elements.strides[kIndirectTrack]);
  const double rows = turns ? 0 : points_of(plan) / static_cast<double>(way.elements.extent);
  const double far = turns && is_far(plan) ? kFarElement : 0;
  return kRun + rows * kGridRow + points_of(plan) * ((turns ? kTurnedElement : kGridElement) + far);
}

template <class OneWay>
double time_of(const LoweredPlan& plan, const OneWay& /*way*/) {
  return walk_time(plan);
}

}  // namespace

double estimate_time(const LoweredPlan& plan) {
  // Only a run shows whether every row of indices holds one index; the next way serves all runs.
  const bool asks = std::holds_alternative<ConstantRows>(plan.ways.front());
  return std::visit([&](const auto& way) { return time_of(plan, way); }, plan.ways[asks ? 1 : 0]);
}

double estimate_new_memory(std::int64_t bytes) {
  return kAllocation + (bytes > kKeptBytes ? kPageByte * static_cast<double>(bytes) : 0);
}

}  // namespace windrow::internal
