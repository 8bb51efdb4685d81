#include "src/plan/choose_offsets.h"

#include <cstdlib>
#include <numeric>

#include "src/base/checked.h"

namespace windrow::internal {

bool choose_offsets(const Strides& axis_strides, LoweredPlan& plan) {
  std::int64_t unit = 0;
  for (const std::int64_t stride : axis_strides) unit = std::gcd(unit, stride);
  for (const NestLoop& loop : plan.addressed) unit = std::gcd(unit, loop.strides[kIndirectStream]);
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
    if (!extend(loop.strides[kIndirectStream], loop.extent)) return false;
    loop.strides[kIndirectStream] /= plan.unit;
  }
  if (!checked_mul(reach, plan.unit)) return false;
  plan.start = static_cast<std::uint64_t>(-below);
  plan.indirect_first += below * plan.unit;
  plan.offset_count = static_cast<std::uint64_t>(reach) + 1;
  plan.wide_offsets = plan.offset_count > 0xffffffffU;
  return true;
}

}  // namespace windrow::internal
