#include "src/plan/straight_takes.h"

#include <limits>

#include "src/plan/index_lanes.h"

namespace windrow::internal {
namespace {

// Whether axis number `k` of a plan takes the k-th index of a tuple that has one for each axis of
// the plan, side by side in one tensor.
bool is_part_of_tuple(const LoweredPlan& plan, std::size_t k) {
  const AddressAxis& axis = plan.axes[k];
  const AddressAxis& first = plan.axes.front();
  if (!axis.fused || axis.policy != first.policy) return false;
  const AddressTerm& term = axis.terms.front();
  const AddressTerm& base = first.terms.front();
  if (term.input != base.input || term.wraps != base.wraps ||
      term.first_byte != base.first_byte + static_cast<std::int64_t>(k) * base.element_bytes)
    return false;
  for (const NestLoop& loop : plan.addressed)
    if (loop.strides[term.stream] != loop.strides[base.stream]) return false;
  const auto step = static_cast<std::int64_t>(axis.multiplier) * plan.unit;
  return axis.extent > 0 && axis.extent <= std::numeric_limits<std::int32_t>::max() && step > 0 &&
         step % plan.row_bytes == 0;
}

}  // namespace

bool can_take_straight(const LoweredPlan& plan) {
  if (plan.family != Family::kTakeElements || plan.row_bytes > 8 || plan.axes.empty() ||
      plan.axes.size() > static_cast<std::size_t>(kMostTuple) || plan.start != 0 ||
      plan.wide_offsets || plan.unit % plan.row_bytes != 0)
    return false;
  // Elements are counted in 32 bits.
  const std::uint64_t elements_per_unit =
      static_cast<std::uint64_t>(plan.unit) / static_cast<std::uint64_t>(plan.row_bytes);
  if (plan.offset_count > std::numeric_limits<std::uint32_t>::max() / elements_per_unit)
    return false;
  const AddressAxis& axis = plan.axes.front();
  if (axis.policy != OutOfRange::kError && axis.policy != OutOfRange::kZero) return false;
  for (std::size_t k = 0; k < plan.axes.size(); ++k)
    if (!is_part_of_tuple(plan, k)) return false;
  const AddressTerm& term = axis.terms.front();
  const auto length = static_cast<std::int64_t>(plan.axes.size());
  const NestLoop& elements = plan.addressed.back();
  return is_plain_index(term) && elements.strides[kIndirectStream] == 0 &&
         elements.strides[kDirectStream] == plan.row_bytes &&
         elements.strides[term.stream] == length * term.element_bytes;
}

bool can_take_flat(const LoweredPlan& plan) {
  if (!plan.flat || plan.axes.size() != 1 || plan.axes.front().multiplier != 1 ||
      plan.unit != plan.row_bytes)
    return false;
  // More tables than there may be: the pattern's own last place could have been cut to 32 bits.
  const auto tables = static_cast<std::int64_t>(plan.flat->pattern.size()) / plan.flat->length + 1;
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() / plan.row_bytes;
  return static_cast<std::int64_t>(plan.flat->step) * tables <= most - plan.axes.front().extent;
}

std::int64_t axis_bytes(const LoweredPlan& plan) {
  const AddressAxis& axis = plan.axes.front();
  return axis.extent * static_cast<std::int64_t>(axis.multiplier) * plan.unit;
}

}  // namespace windrow::internal
