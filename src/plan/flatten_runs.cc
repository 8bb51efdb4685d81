#include "src/plan/flatten_runs.h"

#include <utility>

#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

// Whether every stream but the indirect one continues at the same step from run to run.
bool go_on(const NestLoop& runs, const NestLoop& points) {
  for (std::size_t s = 0; s < runs.strides.size(); ++s)
    if (s != kIndirectStream && !goes_on(runs, points, s)) return false;
  return true;
}

}  // namespace

std::optional<FlatRuns> flatten_runs(const LoweredPlan& plan, std::int64_t most_points) {
  if (plan.addressed.size() < 2 || !plan.shared.empty() || plan.axes.empty() || plan.wide_offsets)
    return std::nullopt;
  const NestLoop& points = plan.addressed.back();
  const NestLoop& runs = plan.addressed[plan.addressed.size() - 2];
  const std::int64_t point_step = points.strides[kIndirectStream];
  const std::int64_t run_step = runs.strides[kIndirectStream];
  // A negative step could make an offset of the pattern look like kOutside.
  if (points.extent > most_points || point_step < 0 || run_step < 0 || !go_on(runs, points))
    return std::nullopt;
  FlatRuns flat;
  flat.length = points.extent;
  flat.step = static_cast<std::uint64_t>(run_step);
  flat.nest.assign(plan.addressed.begin(), plan.addressed.end() - 2);
  NestLoop merged = points;
  merged.extent *= runs.extent;
  merged.injective = false;
  merged.strides[kIndirectStream] = 0;
  flat.nest.push_back(std::move(merged));
  flat.pattern.reserve(static_cast<std::size_t>(kBlockPoints + flat.length));
  for (std::int64_t j = 0; j < kBlockPoints + flat.length; ++j)
    flat.pattern.push_back(
        static_cast<std::uint32_t>(j / flat.length * run_step + j % flat.length * point_step));
  return flat;
}

}  // namespace windrow::internal
