#include "src/plan/choose_ways.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "src/base/memory.h"
#include "src/plan/loops.h"
#include "src/plan/offsets.h"
#include "src/plan/tuning.h"

// The only place that decides how a plan runs; scripts/check_plan.py enforces this.
namespace windrow::internal {
namespace {

// The largest offset of 32 bits; the next number means outside.
constexpr std::uint64_t kMostOffset = std::numeric_limits<std::uint32_t>::max() - 1;

// The number of points of the innermost shared loop whose offsets are kept side by side. Only few
// points need this: each block of them costs as much as many points.
std::int64_t copies_of_offsets(const LoweredPlan& plan) {
  const NestLoop& outer = plan.shared.back();
  const std::int64_t step = outer.strides[kIndirectTrack];
  if (plan.points >= kLeastSharedPoints || plan.wide_offsets || step < 0 || step % plan.unit != 0 ||
      outer.strides[kDirectTrack] != plan.points * plan.addressed.back().strides[kDirectTrack])
    return 1;
  const std::int64_t most = std::min(outer.extent, kBlockPoints / plan.points);
  const std::int64_t units = step / plan.unit;
  const auto room = static_cast<std::int64_t>(kMostOffset - (plan.offset_count - 1));
  return units == 0 ? most : std::min(most, room / units + 1);
}

// The bytes that one shared point addresses, if they are worth fetching as a whole during the one
// before: where no line of them is likely to be left out, and all of them are not in a near cache.
std::int64_t fetched_at_once(std::int64_t cache, const LoweredPlan& plan) {
  const std::uint64_t most = static_cast<std::uint64_t>(most_fetched_at_once(cache) / plan.unit);
  if (plan.offset_count > most) return 0;
  const std::int64_t bytes =
      static_cast<std::int64_t>(plan.offset_count - 1) * plan.unit + plan.row_bytes;
  const bool dense = bytes <= plan.points * std::max(plan.row_bytes, kLine);
  return dense && bytes * plan.shared_points > near_bytes(cache) ? bytes : 0;
}

// Looks elements up in registers, where what the offsets of several shared points address fits
// there.
void choose_look_up(const Tuning& tuning, const LoweredPlan& plan, SharedOffsets& way) {
  if (!tuning.straight.value_or(true) || plan.family != Family::kTakeElements ||
      plan.wide_offsets || plan.unit != plan.row_bytes ||
      plan.addressed.back().strides[kDirectTrack] != plan.row_bytes)
    return;
  const Kernel look_up = find_kernel({Family::kLookUp, plan.row_bytes, DType::kInt32});
  const KernelTable& kernels = find_kernel_set(tuning.kernel_set)->table;
  const std::int64_t most = kMostLookupBytes / plan.row_bytes;
  if (look_up == Kernel::kCount || kernels.get<Family::kTake>(look_up) == nullptr ||
      plan.offset_count > static_cast<std::uint64_t>(most))
    return;
  const std::int64_t room = most - static_cast<std::int64_t>(plan.offset_count);
  const std::int64_t step = plan.shared.back().strides[kIndirectTrack] / plan.unit;
  const std::int64_t copies =
      way.copies > 1 && step > 0 ? std::min(way.copies, room / step + 1) : way.copies;
  if (copies * plan.points < kLeastLookedUpRun) return;
  way.copies = copies;
  way.look_up = look_up;
}

SharedOffsets shared_offsets(const Tuning& tuning, const LoweredPlan& plan) {
  const std::int64_t cache = tuning.second_level_bytes;
  const std::int64_t copies = copies_of_offsets(plan);
  SharedOffsets way{plan.points, 0, copies};
  if (copies == 1) {
    way.chunk = std::min(plan.points, shared_chunk(cache));
    way.fetched = fetched_at_once(cache, plan);
  }
  choose_look_up(tuning, plan, way);
  return way;
}

// Whether axis number `k` of a plan takes the k-th index of a tuple. A tuple has one index for each
// axis of the plan, side by side in one tensor.
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
    if (loop.strides[term.track] != loop.strides[base.track]) return false;
  const auto step = static_cast<std::int64_t>(axis.multiplier) * plan.unit;
  return axis.extent > 0 && axis.extent <= std::numeric_limits<std::int32_t>::max() && step > 0 &&
         step % plan.row_bytes == 0;
}

// The smallest tensor, in bytes, that is written with non-temporal stores: `usual`, unless the
// caller forces these or forbids them.
std::int64_t stream_limit(const Tuning& tuning, std::int64_t usual) {
  if (!tuning.stream) return usual;
  return *tuning.stream ? 0 : std::numeric_limits<std::int64_t>::max();
}

PackedLanes packed_lanes(const Tuning& tuning, std::int64_t tile, const LoweredPlan& plan) {
  PackedLanes way{tile, loops_around_tiles(plan)};
  way.cell_bytes = point_count(way.around) * plan.axes.front().extent *
                   plan.addressed.back().extent * plan.row_bytes;
  way.stream = plan.scatter ? way.cell_bytes >= stream_limit(tuning, kStreamBytes) : plan.stream;
  return way;
}

// Whether the plan takes single elements, one for each element of the result and in the same order,
// each by a plain index or by a tuple of them.
bool takes_elements(const LoweredPlan& plan) {
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
  return is_plain_index(term) && elements.strides[kDirectTrack] == plan.row_bytes &&
         elements.strides[term.track] == length * term.element_bytes;
}

// Of such a plan: whether all elements of the innermost loop belong to one table.
bool can_take_straight(const LoweredPlan& plan) {
  return plan.addressed.back().strides[kIndirectTrack] == 0;
}

// The points of the innermost loop, which a block does not reach across unless they are part of
// flat runs.
std::int64_t run_of_points(const LoweredPlan& plan) {
  return plan.addressed.empty() ? 1 : plan.addressed.back().extent;
}

// The largest offset, without indices, of the points of one flat run.
std::int64_t reach_of_run(const LoweredPlan& plan) {
  std::int64_t reach = 0;
  for (std::size_t l = plan.flat->nest.size(); l < plan.addressed.size(); ++l)
    reach += (plan.addressed[l].extent - 1) * plan.addressed[l].strides[kIndirectTrack];
  return reach;
}

// Of such a plan: whether its elements can be taken along its flat runs, each behind a place of its
// own.
bool can_take_flat(const LoweredPlan& plan) {
  if (!plan.flat || plan.axes.size() != 1 || plan.unit != plan.row_bytes) return false;
  // An upper bound of the number of tables; the pattern's last offset may have been cut to 32 bits.
  const auto tables = static_cast<std::int64_t>(plan.flat->pattern.size()) / plan.flat->length + 1;
  const std::int64_t most = std::numeric_limits<std::int32_t>::max() / plan.row_bytes;
  const std::int64_t reach =
      reach_of_run(plan) + static_cast<std::int64_t>(plan.flat->step) * tables;
  const AddressAxis& axis = plan.axes.front();
  return reach <= most - axis.extent * static_cast<std::int64_t>(axis.multiplier);
}

// A family's kernel for the plan's elements and indices; kCount if the kernel set has none.
Kernel take_kernel(const KernelTable& kernels, Family family, const LoweredPlan& plan) {
  const DType index = plan.axes.front().terms.front().dtype;
  const Kernel kernel = find_kernel({family, plan.row_bytes, index});
  return kernels.get<Family::kTake>(kernel) == nullptr ? Kernel::kCount : kernel;
}

// The kernel that takes from tables of any size.
Kernel any_take_kernel(const Tuning& tuning, const KernelTable& kernels, const LoweredPlan& plan) {
  const bool gathers = tuning.gathers ? *tuning.gathers : has_fast_gathers(plan.row_bytes);
  const Kernel gather =
      gathers ? take_kernel(kernels, Family::kTakeGathered, plan) : Kernel::kCount;
  return gather == Kernel::kCount ? take_kernel(kernels, Family::kTake, plan) : gather;
}

// What all runs of straight takes have in common.
TakeRun take_job(const LoweredPlan& plan) {
  TakeRun job;
  job.length = static_cast<int>(plan.axes.size());
  for (std::size_t k = 0; k < plan.axes.size(); ++k) {
    const auto units = static_cast<std::int64_t>(plan.axes[k].multiplier);
    job.extents[k] = plan.axes[k].extent;
    job.steps[k] = static_cast<std::uint32_t>(units * plan.unit / plan.row_bytes);
  }
  job.wraps = plan.axes.front().terms.front().wraps;
  job.padding = plan.axes.front().terms.front().padding;
  job.stream = plan.stream;
  return job;
}

// Two tasks or runs write to a cache line that they share. This is slow with non-temporal stores.
bool has_long_runs(const LoweredPlan& plan) {
  return plan.addressed.size() == 1 ||
         plan.addressed.back().extent * plan.row_bytes >= kLeastStreamedRunBytes;
}

// Adds the way that takes elements straight from their indices. Returns false if there is none.
bool add_takes(const Tuning& tuning, LoweredPlan& plan) {
  if (!tuning.straight.value_or(true) || !takes_elements(plan)) return false;
  const bool flat = can_take_flat(plan);
  const bool straight = can_take_straight(plan);
  const bool short_runs = plan.flat && run_of_points(plan) < kLeastStraightRun;
  if (!flat && (!straight || (short_runs && !tuning.straight))) return false;
  const KernelTable& kernels = find_kernel_set(tuning.kernel_set)->table;
  TakeRun job = take_job(plan);
  const bool fits_registers = job.is_dense() && job.extents[0] * plan.row_bytes <= kMostLookupBytes;
  const Kernel look_up =
      fits_registers ? take_kernel(kernels, Family::kLookUp, plan) : Kernel::kCount;
  const Kernel any = any_take_kernel(tuning, kernels, plan);
  if (flat && (!straight || look_up == Kernel::kCount || run_of_points(plan) < kLeastLookedUpRun)) {
    plan.ways.emplace_back(FlatTakes{any, job});
    return true;
  }
  plan.flat.reset();
  job.stream = job.stream && (plan.stream_fresh || has_long_runs(plan));
  plan.ways.emplace_back(StraightTakes{look_up == Kernel::kCount ? any : look_up, job});
  return true;
}

// The bytes of the piece of the output that belongs to one counter of the first loop. Returns 0 if
// the cells of different counters interleave.
std::int64_t piece_bytes(std::int64_t cache, const LoweredPlan& plan) {
  const NestLoop& first = plan.addressed.front();
  const std::int64_t units = first.strides[kIndirectTrack];
  if (!first.injective || units <= 0 || plan.start != 0 || plan.indirect_first != 0 ||
      plan.dtype == DType::kString)
    return 0;
  const std::int64_t piece = units * plan.unit;
  const auto reach = static_cast<std::int64_t>(plan.offset_count) - 1 - units * (first.extent - 1);
  return piece <= most_piece_bytes(cache) && reach * plan.unit + plan.row_bytes <= piece ? piece
                                                                                         : 0;
}

bool can_use_buckets(const LoweredPlan& plan) {
  return plan.kernel != Kernel::kCount && !plan.wide_offsets && plan.row_bytes <= plan.unit &&
         plan.points <= std::numeric_limits<std::uint32_t>::max() &&
         even_step(plan.addressed, kDirectTrack);
}

// Whether tasks may divide the cells of a scatter. Single elements that stay in a near cache are
// updated faster than a second task reads all indices and chooses its own.
bool cuts_cells(const Tuning& tuning, const LoweredPlan& plan) {
  const bool near =
      plan.row_bytes <= kMostElementBytes &&
      plan.offset_count <= static_cast<std::uint64_t>(tuning.second_level_bytes / plan.unit);
  return !near || tuning.tasks.has_value();
}

// Adds the ways of a scatter that come before Boxes.
void add_scatters(const Tuning& tuning, LoweredPlan& plan) {
  const std::int64_t cache = tuning.second_level_bytes;
  const bool buckets = tuning.buckets.value_or(cuts_cells(tuning, plan)) && can_use_buckets(plan);
  const bool forced = buckets && tuning.buckets.has_value();
  const std::int64_t piece =
      tuning.fused_copy.value_or(true) && !forced ? piece_bytes(cache, plan) : 0;
  if (piece > 0) {
    const std::int64_t fitting = std::max<std::int64_t>(pieces_bytes(cache) / piece, 1);
    plan.ways.emplace_back(Pieces{piece, std::min(fitting, plan.addressed.front().extent),
                                  stream_limit(tuning, kStreamBytes)});
  }
  if (tuning.sorted.value_or(true)) plan.ways.emplace_back(SortedRanges{});
  if (buckets) plan.ways.emplace_back(Buckets{bucket_bytes(cache), forced});
}

void choose_flat_runs(const Tuning& tuning, LoweredPlan& plan) {
  if (tuning.flat_runs.value_or(true)) plan.flat = flatten_runs(plan, kMostFlatRun);
}

// Adds the ways that walk loops.
void add_walks(const Tuning& tuning, LoweredPlan& plan) {
  choose_flat_runs(tuning, plan);
  if (add_takes(tuning, plan)) return;
  if (plan.scatter) add_scatters(tuning, plan);
  plan.ways.emplace_back(Boxes{cuts_cells(tuning, plan)});
}

// Whether there are enough lanes for a check whether index rows hold a single index each.
bool has_index_rows(const Tuning& tuning, const LoweredPlan& plan) {
  const NestLoop& lanes = plan.addressed.back();
  const std::int64_t least = tuning.constant_rows ? 2 : kLeastConstantLanes;
  return lanes.extent >= least && has_lanes(plan);
}

// The plan that moves all lanes of an index row as one row, with one index for each. These indices
// are dense. Returns null if no kernel takes such rows. The plan's stores, ways and fetches are
// not chosen yet.
std::shared_ptr<LoweredPlan> lower_index_rows(const LoweredPlan& plan) {
  auto rows = std::make_shared<LoweredPlan>(plan);
  rows->row_bytes = plan.row_bytes * plan.addressed.back().extent;
  rows->addressed.pop_back();
  AddressTerm& term = rows->axes.front().terms.front();
  term.first_byte = 0;
  std::int64_t step = term.element_bytes;
  for (std::size_t l = rows->addressed.size(); l-- > 0;) {
    rows->addressed[l].strides[term.track] = step;
    step *= rows->addressed[l].extent;
  }
  rows->points = plan.points / plan.addressed.back().extent;
  return choose_kernel(*rows) ? rows : nullptr;
}

void add_constant_rows(const Tuning& tuning, LoweredPlan& plan) {
  if (!tuning.constant_rows.value_or(true) || !has_index_rows(tuning, plan)) return;
  const std::shared_ptr<LoweredPlan> rows = lower_index_rows(plan);
  if (rows == nullptr) return;
  choose_stores(tuning, *rows);
  add_walks(tuning, *rows);
  choose_fetches(tuning, *rows);
  plan.ways.emplace_back(ConstantRows{rows, {plan.addressed.begin(), plan.addressed.end() - 1}});
}

// Adds the way that copies single elements without offsets. Returns false if there is none.
bool add_grids(LoweredPlan& plan) {
  const Kernel copy = find_kernel({Family::kCopyGrid, plan.row_bytes});
  if (plan.scatter || !plan.axes.empty() || copy == Kernel::kCount || plan.dtype == DType::kString)
    return false;
  LoopNest nest = order_for_copy(plan.addressed);
  GridCopies way{copy, {nest.begin(), nest.end() - 2}, nest.end()[-2], nest.end()[-1]};
  plan.ways.emplace_back(std::move(way));
  return true;
}

void add_ways(const Tuning& tuning, LoweredPlan& plan) {
  // Forced levers apply to the loops only.
  if (!tuning.forces_levers) {
    if (auto points = find_even_points(plan)) {
      plan.ways.emplace_back(SmallBlock{*std::move(points)});
      return;
    }
  }
  if (tuning.grids.value_or(true) && add_grids(plan)) return;
  add_constant_rows(tuning, plan);
  if (!plan.shared.empty()) {
    choose_flat_runs(tuning, plan);
    plan.ways.emplace_back(shared_offsets(tuning, plan));
  } else if (const std::int64_t tile = tile_lanes(tuning, plan); tile > 0) {
    plan.ways.emplace_back(packed_lanes(tuning, tile, plan));
  } else {
    add_walks(tuning, plan);
  }
}

// Whether all updates of a scatter are single elements with one plain index each, side by side
// along the innermost loop, of which none may be outside.
bool updates_elements(const LoweredPlan& plan) {
  if (plan.axes.size() != 1 || !plan.shared.empty() || plan.addressed.empty() ||
      plan.dtype == DType::kString)
    return false;
  const AddressAxis& axis = plan.axes.front();
  if (!axis.fused || axis.policy != OutOfRange::kError) return false;
  const AddressTerm& term = axis.terms.front();
  const NestLoop& elements = plan.addressed.back();
  return is_plain_index(term) && !term.padding && static_cast<std::int64_t>(axis.multiplier) > 0 &&
         elements.strides[kDirectTrack] == plan.row_bytes &&
         elements.strides[term.track] == term.element_bytes;
}

// The bytes that the only axis of a plan addresses from one place on: a run's table.
std::int64_t table_bytes(const LoweredPlan& plan) {
  const AddressAxis& axis = plan.axes.front();
  return axis.extent * static_cast<std::int64_t>(axis.multiplier) * plan.unit;
}

// Whether all updates of a run of such a plan go to one table, which is near even if all tables
// together are not.
bool has_near_runs(const LoweredPlan& plan) {
  const std::int64_t most = plan.family == Family::kAssign ? kFetchCellsBytes : kFetchElementsBytes;
  return plan.addressed.back().strides[kIndirectTrack] == 0 && table_bytes(plan) <= most;
}

// The kernel that updates near cells straight from their indices, where it is likely to win.
void choose_straight(const Tuning& tuning, LoweredPlan& plan) {
  const bool forced = tuning.straight.value_or(false);
  if (!tuning.straight.value_or(true) || !updates_elements(plan)) return;
  const bool wins =
      run_of_points(plan) >= kLeastStraightUpdates && has_near_runs(plan) && !tuning.prefetch;
  if (!wins && !forced) return;
  const DType cell = plan.fold == Fold::kNone ? DType::kAbsent : plan.dtype;
  plan.straight = find_kernel({Family::kScatterStraight, plan.row_bytes, cell, plan.fold});
}

}  // namespace

void choose_ways(const Tuning& tuning, LoweredPlan& plan) {
  if (plan.points == 0) {
    plan.ways.emplace_back(NoPoints{});
    return;
  }
  choose_stores(tuning, plan);
  add_ways(tuning, plan);
  choose_fetches(tuning, plan);
  if (plan.scatter) choose_straight(tuning, plan);
}

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
    const auto step = static_cast<std::uint32_t>(loop.strides[kIndirectTrack]);
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
  const auto direct = even_step(plan.addressed, kDirectTrack);
  if (!direct) return std::nullopt;
  small.direct_step = *direct;
  for (const AddressAxis& axis : plan.axes) {
    if (!axis.fused) return std::nullopt;
    const auto step = even_step(plan.addressed, axis.terms.front().track);
    if (!step) return std::nullopt;
    small.index_steps.push_back(*step);
  }
  small.offsets = offsets_of(plan);
  return small;
}

Status choose_kernel(LoweredPlan& plan) {
  if (plan.dtype == DType::kString) {
    // The answer is the same for every set.
    const KernelTable& kernels = kernel_sets().front().table;
    plan.string_kernel =
        plan.scatter ? kernels.find<Family::kScatterStrings>(plan.row_bytes, plan.dtype, plan.fold)
                     : kernels.find<Family::kGatherStrings>(plan.row_bytes, plan.dtype, plan.fold);
    if (plan.string_kernel != nullptr) return {};
    return {ErrorCode::kUnsupported, "no kernel does this reduction of strings"};
  }
  if (plan.fold != Fold::kNone) {
    plan.family = Family::kReduce;
  } else if (plan.scatter) {
    plan.family = Family::kAssign;
  } else {
    const bool element = plan.row_bytes <= 16 && (plan.row_bytes & (plan.row_bytes - 1)) == 0;
    plan.family = element ? Family::kTakeElements : Family::kCopyRows;
  }
  const DType cell = plan.fold == Fold::kNone ? DType::kAbsent : plan.dtype;
  plan.kernel = find_kernel({plan.family, plan.row_bytes, cell, plan.fold});
  if (plan.kernel != Kernel::kCount) return {};
  return {ErrorCode::kUnsupported,
          "no kernel does this reduction of " + std::string(dtype_name(plan.dtype))};
}

namespace {

// The bytes of all points together if each has `bytes`.
double all_points(const LoweredPlan& plan, std::int64_t bytes) {
  return static_cast<double>(plan.points) * static_cast<double>(plan.shared_points) *
         static_cast<double>(bytes);
}

// Whether consecutive points of a nest are `step` bytes apart on the direct side.
bool is_even(const LoopNest& nest, std::int64_t step) {
  return nest.empty() || point_count(nest) == 1 || even_step(nest, kDirectTrack) == step;
}

// How the rows of a gather are written with non-temporal stores. Those of partial cache lines are
// slow.
void choose_row_stores(LoweredPlan& plan) {
  std::int64_t steps = plan.row_bytes;
  for (const NestLoop& loop : plan.shared) steps |= loop.strides[kDirectTrack];
  for (const NestLoop& loop : plan.addressed) steps |= loop.strides[kDirectTrack];
  const bool dense =
      is_even(plan.addressed, plan.row_bytes) && is_even(plan.shared, plan.row_bytes * plan.points);
  plan.streams_rows = (dense || plan.row_bytes >= kLeastApartBytes) &&
                      plan.row_bytes > kMostElementBytes && steps % kStreamedBytes == 0;
  plan.joins_rows =
      dense && plan.row_bytes >= kLeastJoinedRowBytes &&
      std::min(run_of_points(plan), kBlockPoints) >= kLeastJoinedBytes / plan.row_bytes;
  plan.stages_rows = dense && plan.row_bytes <= kMostStagedRowBytes;
}

// The fewest bytes on the indirect side that are far.
std::int64_t far_bytes(const Tuning& tuning, const LoweredPlan& plan) {
  return plan.row_bytes < kLeastFetchedRowBytes ? kFetchElementsBytes
                                                : near_bytes(tuning.second_level_bytes);
}

// Whether the largest offset of a plan is more than `bytes` bytes.
bool reaches_beyond(const LoweredPlan& plan, std::int64_t bytes) {
  return static_cast<std::int64_t>(plan.offset_count - 1) > bytes / plan.unit;
}

// Whether cells are overwritten that are not far, and too many for the first-level cache. Without
// prefetches stores wait for their lines one after another.
bool overwrites_near_cells(const Tuning& tuning, const LoweredPlan& plan) {
  return plan.family == Family::kAssign && reaches_beyond(plan, kFetchCellsBytes) &&
         !reaches_beyond(plan, far_bytes(tuning, plan));
}

std::int64_t choose_ahead(const Tuning& tuning, const LoweredPlan& plan) {
  if (tuning.prefetch) return *tuning.prefetch;
  const bool element = plan.row_bytes <= kMostElementBytes;
  const std::int64_t near = far_bytes(tuning, plan);
  const bool straight = find_way<StraightTakes>(plan.ways) || find_way<FlatTakes>(plan.ways);
  if (straight && plan.axes.size() == 1) {
    // Each run of indices has a table of its own, which may be in a near cache even if the tables
    // together are not.
    if (table_bytes(plan) <= near) return 0;
  }
  if (!reaches_beyond(plan, near))
    return !plan.near_cells ? 0 : element ? kCellsAhead : rows_ahead(plan.row_bytes);
  return element ? kElementsAhead : rows_ahead(plan.row_bytes);
}

}  // namespace

void choose_stores(const Tuning& tuning, LoweredPlan& plan) {
  const double bytes = all_points(plan, plan.row_bytes);
  plan.stream = bytes >= static_cast<double>(stream_limit(tuning, kStreamBytes));
  plan.stream_fresh = tuning.stream.value_or(false);
  plan.stream_sorted_start_from = stream_limit(tuning, kStreamStartBytes);
  // The bytes of the cache lines that the updates touch if no two share one.
  const double touched = all_points(plan, whole_lines(plan.row_bytes));
  plan.stream_start_from = stream_limit(
      tuning, static_cast<std::int64_t>(std::min(static_cast<double>(kStreamStartBytes) + touched,
                                                 static_cast<double>(kStreamAnyStartBytes))));
  plan.streams_rows = plan.joins_rows = plan.stages_rows = false;
  if (!plan.scatter && plan.kernel != Kernel::kCount) choose_row_stores(plan);
}

void choose_fetches(const Tuning& tuning, LoweredPlan& plan) {
  plan.near_cells = overwrites_near_cells(tuning, plan);
  plan.ahead = choose_ahead(tuning, plan);
  const std::int64_t least = plan.scatter ? kFetchUpdatesBytes : kFetchResultBytes;
  const bool many = all_points(plan, plan.row_bytes) >= static_cast<double>(least);
  plan.fetch_direct = (plan.scatter || plan.row_bytes > kMostElementBytes) &&
                      (tuning.prefetch ? *tuning.prefetch > 0 : many);
}

std::int64_t take_row(LoopNest& nest, std::int64_t element_bytes) {
  if (nest.empty()) return 1;
  const NestLoop& inner = nest.back();
  if (!is_unaddressed(inner) || inner.strides[kDirectTrack] != element_bytes ||
      inner.strides[kIndirectTrack] != element_bytes)
    return 1;
  const std::int64_t elements = inner.extent;
  nest.pop_back();
  return elements;
}

}  // namespace windrow::internal
