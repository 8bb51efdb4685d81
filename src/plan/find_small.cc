#include "src/plan/find_small.h"

#include <algorithm>

#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

bool is_small(const LoweredPlan& plan) {
  return plan.kernel != Kernel::kCount && plan.shared.empty() && plan.tile == 0 &&
         !plan.wide_offsets && plan.points > 0 && plan.points <= kMostSmallPoints &&
         plan.row_bytes <= kMostSmallBytes && plan.points * (plan.row_bytes + 8) <= kMostSmallBytes;
}

// What every point adds to a stream, if all add the same.
std::optional<std::int64_t> even_step(const LoopNest& nest, std::size_t stream) {
  for (std::size_t l = 0; l + 1 < nest.size(); ++l)
    if (nest[l].strides[stream] != nest[l + 1].strides[stream] * nest[l + 1].extent)
      return std::nullopt;
  return nest.back().strides[stream];
}

// The offsets of all points without their indices.
std::vector<std::uint32_t> offsets_of(const LoweredPlan& plan) {
  std::vector<std::uint32_t> offsets{static_cast<std::uint32_t>(plan.start)};
  for (const NestLoop& loop : plan.addressed) {
    const auto step = static_cast<std::uint32_t>(loop.strides[kIndirectStream]);
    std::vector<std::uint32_t> next;
    for (const std::uint32_t first : offsets)
      for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(loop.extent); ++i)
        next.push_back(first + i * step);
    offsets = std::move(next);
  }
  return offsets;
}

}  // namespace

std::optional<SmallPlan> find_small(const LoweredPlan& plan) {
  if (!is_small(plan)) return std::nullopt;
  SmallPlan small;
  const auto direct = even_step(plan.addressed, kDirectStream);
  if (!direct) return std::nullopt;
  small.direct_step = *direct;
  for (const AddressAxis& axis : plan.axes) {
    if (!axis.fused) return std::nullopt;
    const auto step = even_step(plan.addressed, axis.terms.front().stream);
    if (!step) return std::nullopt;
    small.index_steps.push_back(*step);
  }
  small.offsets = offsets_of(plan);
  return small;
}

}  // namespace windrow::internal
