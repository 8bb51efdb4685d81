#include "src/plan/find_small.h"

#include <algorithm>

#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

bool fits_one_block(const LoweredPlan& plan) {
  return plan.kernel != Kernel::kCount && plan.shared.empty() && !plan.wide_offsets &&
         plan.points > 0 && plan.points <= kMostSmallPoints && plan.row_bytes <= kMostSmallBytes &&
         plan.points * (plan.row_bytes + 8) <= kMostSmallBytes;
}

// The offsets of all points, without the part of their indices.
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

std::optional<EvenPoints> find_even_points(const LoweredPlan& plan) {
  if (!fits_one_block(plan)) return std::nullopt;
  EvenPoints small;
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
