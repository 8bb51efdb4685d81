#include "src/plan/choose_movement.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>

#include "src/base/cache_line.h"
#include "src/plan/choose_kernel.h"
#include "src/plan/flatten_runs.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

bool is_element(const LoweredPlan& plan) { return plan.row_bytes <= 16; }

std::int64_t choose_ahead(const Tuning& tuning, const LoweredPlan& plan) {
  if (tuning.prefetch) return *tuning.prefetch;
  const std::int64_t near = is_element(plan) ? kFetchElementsBytes : kFetchRowsBytes;
  if (static_cast<std::int64_t>(plan.offset_count - 1) <= near / plan.unit) return 0;
  return is_element(plan) ? kElementsAhead : rows_ahead(plan.row_bytes);
}

double direct_bytes(const LoweredPlan& plan) {
  return static_cast<double>(plan.points) * static_cast<double>(plan.shared_points) *
         static_cast<double>(plan.row_bytes);
}

bool fetches_updates(const Tuning& tuning, const LoweredPlan& plan) {
  if (!plan.scatter) return false;
  if (tuning.prefetch) return *tuning.prefetch > 0;
  return direct_bytes(plan) >= static_cast<double>(kFetchUpdatesBytes);
}

// The bytes of the cache lines that the updates touch, if no two share one.
double touched_bytes(const LoweredPlan& plan) {
  return static_cast<double>(plan.points) * static_cast<double>(plan.shared_points) *
         static_cast<double>(whole_lines(plan.row_bytes));
}

void choose_stream(const Tuning& tuning, LoweredPlan& plan) {
  plan.stream_from = kStreamBytes;
  plan.stream_sorted_start_from = kStreamStartBytes;
  plan.stream_start_from = static_cast<std::int64_t>(
      std::min(static_cast<double>(kStreamStartBytes) + touched_bytes(plan),
               static_cast<double>(kStreamAnyStartBytes)));
  if (tuning.stream) {
    plan.stream_from = *tuning.stream ? 0 : std::numeric_limits<std::int64_t>::max();
    plan.stream_sorted_start_from = plan.stream_start_from = plan.stream_from;
  }
  plan.stream = direct_bytes(plan) >= static_cast<double>(plan.stream_from);
}

// The bytes of the output's piece that belongs to each counter of the first loop; 0 if the cells of
// two counters lie among each other.
std::int64_t find_piece(const LoweredPlan& plan) {
  const NestLoop& first = plan.addressed.front();
  const std::int64_t units = first.strides[kIndirectStream];
  if (!plan.scatter || !plan.shared.empty() || plan.tile > 0 || !first.injective || units <= 0 ||
      plan.start != 0 || plan.indirect_first != 0 || plan.dtype == DType::kString)
    return 0;
  const std::int64_t piece = units * plan.unit;
  const auto reach = static_cast<std::int64_t>(plan.offset_count) - 1 - units * (first.extent - 1);
  return piece <= kMostPieceBytes && reach * plan.unit + plan.row_bytes <= piece ? piece : 0;
}

// Whether all points stand at one distance from each other on the direct side.
bool has_even_direct_step(const LoweredPlan& plan) {
  for (std::size_t l = 0; l + 1 < plan.addressed.size(); ++l) {
    const NestLoop& inner = plan.addressed[l + 1];
    if (plan.addressed[l].strides[kDirectStream] != inner.strides[kDirectStream] * inner.extent)
      return false;
  }
  return true;
}

bool can_use_buckets(const LoweredPlan& plan) {
  return plan.scatter && plan.kernel != Kernel::kCount && plan.shared.empty() && plan.tile == 0 &&
         !plan.wide_offsets && plan.row_bytes <= plan.unit &&
         plan.points <= std::numeric_limits<std::uint32_t>::max() && has_even_direct_step(plan);
}

bool is_plain_index(DType dtype) { return dtype == DType::kInt32 || dtype == DType::kInt64; }

// Whether axis number `k` of a plan takes the k-th of as many indices as the plan has axes, which
// stand side by side in one tensor.
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

// An index or an index tuple for each element of the result, in the same order.
bool can_take_straight(const LoweredPlan& plan) {
  if (plan.family != Family::kTakeElements || plan.row_bytes > 8 || plan.axes.empty() ||
      plan.axes.size() > static_cast<std::size_t>(kMostTuple) || plan.tile > 0 ||
      !plan.shared.empty() || plan.start != 0 || plan.wide_offsets ||
      plan.unit % plan.row_bytes != 0)
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
  return is_plain_index(term.dtype) && elements.strides[kIndirectStream] == 0 &&
         elements.strides[kDirectStream] == plan.row_bytes &&
         elements.strides[term.stream] == length * term.element_bytes;
}

// The same along flat runs, from the dense tables of as many as a block of them has.
bool can_take_flat(const LoweredPlan& plan) {
  if (!plan.flat || plan.axes.size() != 1 || plan.axes.front().multiplier != 1 ||
      plan.unit != plan.row_bytes)
    return false;
  // More tables than there may be: the pattern's own last place could have been cut to 32 bits.
  const auto tables = static_cast<std::int64_t>(plan.flat->pattern.size()) / plan.flat->length + 1;
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() / plan.row_bytes;
  return static_cast<std::int64_t>(plan.flat->step) * tables <= most - plan.axes.front().extent;
}

// From the first cell of a plan's only axis to behind its last one.
std::int64_t axis_bytes(const LoweredPlan& plan) {
  const AddressAxis& axis = plan.axes.front();
  return axis.extent * static_cast<std::int64_t>(axis.multiplier) * plan.unit;
}

// One index per lane of the innermost loop, lanes that are neighbours on all sides.
bool has_index_rows(const Tuning& tuning, const LoweredPlan& plan) {
  if (plan.axes.size() != 1 || plan.addressed.size() < 2 || !plan.shared.empty() ||
      plan.dtype == DType::kString)
    return false;
  const AddressAxis& axis = plan.axes.front();
  const AddressTerm& term = axis.terms.front();
  const NestLoop& lanes = plan.addressed.back();
  const std::int64_t least = tuning.constant_rows ? 2 : kLeastConstantLanes;
  return axis.fused && is_plain_index(term.dtype) && lanes.extent >= least &&
         lanes.strides[term.stream] == term.element_bytes &&
         lanes.strides[kIndirectStream] * plan.unit == plan.row_bytes &&
         lanes.strides[kDirectStream] == plan.row_bytes && (!plan.scatter || lanes.injective);
}

// The plan whose rows are the lanes of an index row; null if no kernel takes such rows.
std::shared_ptr<const LoweredPlan> with_index_rows(const Tuning& tuning, const LoweredPlan& plan) {
  auto rows = std::make_shared<LoweredPlan>(plan);
  rows->row_bytes = plan.row_bytes * plan.addressed.back().extent;
  rows->addressed.pop_back();
  // Their indices are put side by side.
  AddressTerm& term = rows->axes.front().terms.front();
  term.first_byte = 0;
  std::int64_t step = term.element_bytes;
  for (std::size_t l = rows->addressed.size(); l-- > 0;) {
    rows->addressed[l].strides[term.stream] = step;
    step *= rows->addressed[l].extent;
  }
  rows->points = plan.points / plan.addressed.back().extent;
  rows->tile = 0;
  if (!choose_kernel(*rows)) return nullptr;
  choose_movement(tuning, *rows);
  return rows;
}

}  // namespace

void choose_movement(const Tuning& tuning, LoweredPlan& plan) {
  plan.forced_tasks = tuning.tasks.value_or(0);
  plan.ahead = choose_ahead(tuning, plan);
  plan.fetch_updates = fetches_updates(tuning, plan);
  choose_stream(tuning, plan);
  plan.flat.reset();
  if (tuning.flat_runs.value_or(true)) plan.flat = flatten_runs(plan, kMostFlatRun);
  const bool can = tuning.straight.value_or(true) && can_take_straight(plan);
  plan.takes_flat = can && can_take_flat(plan);
  const bool short_runs = plan.flat && plan.flat->length < kLeastStraightRun;
  plan.takes_straight = can && (plan.takes_flat || !short_runs || tuning.straight.has_value());
  if (plan.takes_straight) {
    plan.gathers = tuning.gathers ? *tuning.gathers : has_fast_gathers();
    // Each run of indices has a table of its own, which may be near although all of them are not.
    if (!tuning.prefetch && plan.axes.size() == 1 && axis_bytes(plan) <= kFetchElementsBytes)
      plan.ahead = 0;
  }
  if (tuning.fused_copy.value_or(true)) plan.piece_bytes = find_piece(plan);
  plan.can_use_buckets = tuning.buckets.value_or(true) && can_use_buckets(plan);
  plan.finds_sorted = plan.scatter && tuning.sorted.value_or(true);
  plan.forces_buckets = tuning.buckets.value_or(false) && plan.can_use_buckets;
  if (tuning.constant_rows.value_or(true) && has_index_rows(tuning, plan))
    plan.constant_rows = with_index_rows(tuning, plan);
  if (plan.constant_rows != nullptr)
    plan.index_rows.assign(plan.addressed.begin(), plan.addressed.end() - 1);
}

}  // namespace windrow::internal
