#include "src/execute/offset_block.h"

#include <algorithm>
#include <chrono>
#include <cstring>

#include "src/base/integers.h"
#include "src/base/memory.h"
#include "src/execute/padding.h"
#include "src/kernels/normalise.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

void fetch_some(FetchAhead& fetch) {
  const std::int64_t bytes = std::min<std::int64_t>(fetch.end - fetch.next, kLinesAtOnce * kLine);
  for (std::int64_t at = 0; at < bytes; at += kLine) __builtin_prefetch(fetch.next + at, 0, 3);
  fetch.next += bytes;
}

}  // namespace

BlockMover::BlockMover(const RunContext& run, CellPlace cells)
    : plan_(run.plan),
      kernels_(run.kernels),
      outcome_(run.outcome),
      direct_(run.memory.direct),
      stage_(run.kernels) {
  const LoweredPlan& plan = run.plan;
  pattern_.indirect = run.cells();
  pattern_.row_bytes = plan.row_bytes;
  pattern_.unit = plan.unit;
  pattern_.wide_offsets = plan.wide_offsets;
  pattern_.ahead = cells == CellPlace::kNear ? 0 : plan.ahead;
  pattern_.near_cells = plan.near_cells;
  // A prefetch of memory that has no pages yet does nothing but look for them.
  pattern_.fetch_direct = plan.fetch_direct && (plan.scatter || !run.memory.fresh);
  kernel_ = run.kernel();
  if (pattern_.ahead > 0 && plan.row_bytes <= kMostNearRowBytes) near_.emplace();
  if (pattern_.ahead > 0 && !plan.scatter && plan.row_bytes <= kMostTimedRowBytes)
    timed_rows_ = std::clamp<std::int64_t>(kTimedBytes / plan.row_bytes, 8, kMostTimedRows);
  if (pattern_.ahead > 0 && plan.scatter && plan.row_bytes <= kMostElementBytes) trial_.emplace();
  if (!run.memory.streams(plan, plan.stream)) return;
  pattern_.stream =
      plan.joins_rows || (plan.streams_rows && line_offset(direct_) % kStreamedBytes == 0);
  staged_ = plan.stages_rows && !pattern_.stream;
  if (pattern_.stream || staged_) pattern_.fetch_direct = false;
}

void BlockMover::slice_rows(const Range& slice) {
  direct_ += slice.low;
  pattern_.indirect += slice.low;
  pattern_.row_bytes = slice.high - slice.low;
  pattern_.stream = false;
  staged_ = false;
}

void BlockMover::keep_owned(const Range& own) {
  owned_ = true;
  own_low_ = static_cast<std::uint64_t>(own.low);
  own_high_ = static_cast<std::uint64_t>(own.high);
}

void BlockMover::move(const Block& block, FetchAhead* fetch) {
  if (block.count == 0 || block.row_bytes == 0) return;
  if (owned_) {
    move_owned(block);
  } else if (plan_.string_kernel != nullptr) {
    move_strings(block);
  } else if (staged_) {
    move_staged(block, fetch);
  } else {
    if (fetch != nullptr) fetch_some(*fetch);
    run_kernel(block);
  }
}

bool BlockMover::is_near(const Block& block) {
  if (!near_ || block.count < NearLines::kSampled) return false;
  const std::int64_t line = std::max(kLine, plan_.row_bytes);
  const auto line_of = [&](auto offsets) {
    return [&block, offsets, line](std::int64_t j) {
      return static_cast<std::int64_t>(offsets[j]) * block.unit / line;
    };
  };
  return block.wide_offsets
             ? near_->sample(line_of(static_cast<const std::uint64_t*>(block.offsets)))
             : near_->sample(line_of(static_cast<const std::uint32_t*>(block.offsets)));
}

void BlockMover::take(const Block& block) const {
  TakeRun run;
  run.table = block.indirect;
  run.extents[0] = block.extent;
  run.indices = static_cast<const std::byte*>(block.offsets);
  run.count = block.count;
  run.out = block.direct;
  look_up_(run);
}

void BlockMover::run_kernel(const Block& block) {
  if (look_up_ != nullptr) return take(block);
  if (timed_rows_ > 0 && !block.stream && block.count >= kBlockPerTimedRows * timed_rows_)
    return run_timed(block);
  if (is_near(block)) {
    Block near = block;
    near.ahead = 0;
    return kernel_(near);
  }
  trial_ ? run_tried(block) : kernel_(block);
}

void FetchTrial::add(double time) {
  if (is_tried()) times_[fetches() ? 1 : 0] += time;
  ++block_;
  if (block_ == kTriedBlocks) faster_ = times_[1] <= times_[0];
  if (block_ < kBlocksPerTrial) return;
  block_ = 0;
  times_ = {};
}

void BlockMover::run_tried(Block block) {
  using Clock = std::chrono::steady_clock;
  if (!trial_->fetches()) block.ahead = 0;
  if (!trial_->is_tried()) {
    kernel_(block);
    return trial_->add(0);
  }
  const Clock::time_point start = Clock::now();
  kernel_(block);
  const std::chrono::duration<double> time = Clock::now() - start;
  trial_->add(time.count() / static_cast<double>(block.count));
}

void BlockMover::run_timed(Block block) {
  if (blocks_until_timing_ == 0) {
    rows_near_ = time_first_rows(block);
    blocks_until_timing_ = kBlocksPerTiming;
  }
  --blocks_until_timing_;
  if (rows_near_) block.ahead = 0;
  kernel_(block);
}

bool BlockMover::time_first_rows(Block& block) {
  using Clock = std::chrono::steady_clock;
  Block first = block;
  first.count = first.known = timed_rows_;
  first.ahead = 0;
  const Clock::time_point start = Clock::now();
  kernel_(first);
  const std::chrono::nanoseconds time = Clock::now() - start;
  block.count -= first.count;
  block.known -= first.count;
  block.offsets =
      static_cast<const std::byte*>(block.offsets) + first.count * (block.wide_offsets ? 8 : 4);
  block.direct += first.count * block.direct_step;
  return time.count() <=
         first.count * (kNearRowNanoseconds + block.row_bytes / kNearBytesPerNanosecond);
}

void BlockMover::move_owned(Block block) {
  alignas(64) std::byte kept[kBlockPoints * 8];
  std::uint32_t positions[kBlockPoints];
  block.count = kernels_.get<Family::kSelectOwned>(Kernel::select_owned)(
      block.offsets, block.wide_offsets, block.count, own_low_, own_high_, kept, positions);
  if (block.count == 0) return;
  block.offsets = kept;
  block.known = block.count;
  block.positions = positions;
  block.any_outside = false;
  if (plan_.string_kernel != nullptr) return move_strings(block);
  run_kernel(block);
}

void BlockMover::move_staged(const Block& block, FetchAhead* fetch) {
  stage_.begin(block.direct);
  const std::int64_t most = StagedRows::rows_at_once(block.row_bytes);
  const std::int64_t offset_bytes = block.wide_offsets ? 8 : 4;
  Block piece = block;
  for (std::int64_t done = 0; done < block.count; done += piece.count) {
    if (fetch != nullptr) fetch_some(*fetch);
    piece.count = std::min(most, block.count - done);
    piece.known = block.known - done;
    piece.offsets = static_cast<const std::byte*>(block.offsets) + done * offset_bytes;
    piece.direct = stage_.room();
    run_kernel(piece);
    stage_.add(piece.count * block.row_bytes);
  }
}

void BlockMover::move_strings(const Block& block) {
  if (!plan_.string_kernel(block)) outcome_.stop(RunOutcome::kOutOfMemory);
}

void BlockMover::finish() {
  if (staged_) stage_.finish();
  if (staged_ || pattern_.stream) flush_streams();
}

namespace {

// The offsets of points without any index.
template <class Offset>
void write_ramp(const OffsetRun& run) {
  auto* offsets = static_cast<Offset*>(run.offsets);
  auto value = static_cast<Offset>(run.start);
  for (std::int64_t j = 0; j < run.count; ++j) {
    offsets[j] = value;
    value += static_cast<Offset>(run.lane_step);
  }
}

bool all_legal(const IndexRange& legal, const std::int64_t* values, std::int64_t count) {
  bool all = true;
  for (std::int64_t j = 0; j < count; ++j) all &= legal.contains(values[j]);
  return all;
}

// Whether all indices but the padded ones are legal.
bool all_legal(const IndexRange& legal, const std::int64_t* values, const bool* padded,
               std::int64_t count) {
  bool all = true;
  for (std::int64_t j = 0; j < count; ++j) all &= padded[j] || legal.contains(values[j]);
  return all;
}

template <class Offset>
void set_outside(const bool* padded, const OffsetRun& run) {
  auto* offsets = static_cast<Offset*>(run.offsets);
  for (std::int64_t j = 0; j < run.count; ++j)
    offsets[j] = padded[j] ? kOutside<Offset> : offsets[j];
}

// Moves the padded points outside.
unsigned set_padding(const bool* padded, const OffsetRun& run) {
  run.wide_offsets ? set_outside<std::uint64_t>(padded, run)
                   : set_outside<std::uint32_t>(padded, run);
  return kIndexOutside;
}

// Adds an index to each coordinate. On circular axes the index is reduced modulo the extent first,
// so that the sum cannot overflow; on other axes the sum saturates, far outside the axis.
void add_coordinates(const AddressAxis& axis, const AddressTerm& term, const std::int64_t* values,
                     std::int64_t count, std::int64_t* coordinates) {
  const std::int64_t wrap = term.wraps ? axis.extent : 0;
  for (std::int64_t j = 0; j < count; ++j) {
    unsigned outside = 0;  // the sum is checked instead
    const std::int64_t value =
        axis.policy == OutOfRange::kModulo
            ? normalise<OutOfRange::kModulo>(values[j], axis.extent, 0, outside)
            : normalise<OutOfRange::kError>(values[j], axis.extent, wrap, outside);
    coordinates[j] = saturating_add(coordinates[j], value);
  }
}

void set_axis(const AddressAxis& axis, bool wraps, OffsetRun& run) {
  run.extent = axis.extent;
  run.multiplier = axis.multiplier;
  run.policy = axis.policy;
  run.wraps = wraps;
}

// An index as an int64. One that does not fit becomes a congruent one on circular axes; on others
// the largest int64 has the same effect.
std::int64_t unsigned_index(const AddressAxis& axis, std::uint64_t element) {
  const bool is_circular = axis.policy == OutOfRange::kModulo && axis.extent > 0;
  return is_circular ? congruent_value(element, axis.extent) : index_value(element);
}

// Reads `count` indices, `step` bytes apart.
void load_indices(const KernelTable& kernels, const AddressAxis& axis, const AddressTerm& term,
                  const std::byte* first, std::int64_t step, std::int64_t count,
                  std::int64_t* values) {
  if (term.dtype != DType::kUint64 || axis.policy != OutOfRange::kModulo || axis.extent < 1)
    return kernels.of_type<Family::kLoad>(term.dtype)(first, step, count, values);
  for (std::int64_t j = 0; j < count; ++j) {
    std::uint64_t element;
    std::memcpy(&element, first + j * step, sizeof element);
    values[j] = unsigned_index(axis, element);
  }
}

// For indices that are not dense, or of another type than int32 and int64.
unsigned add_loaded(const KernelTable& kernels, const AddressAxis& axis, const std::byte* first,
                    std::int64_t step, OffsetRun& run) {
  std::int64_t values[kBlockPoints];
  load_indices(kernels, axis, axis.terms.front(), first, step, run.count, values);
  run.indices = values;
  return kernels.of_type<Family::kOffsets>(DType::kInt64)(run);
}

}  // namespace

unsigned add_fused_axis(const KernelTable& kernels, const AddressAxis& axis, const std::byte* first,
                        std::int64_t step, OffsetRun& run) {
  const AddressTerm& term = axis.terms.front();
  set_axis(axis, term.wraps, run);
  run.padding = term.padding;
  run.indices = first;
  const OffsetFunction offsets = kernels.of_type<Family::kOffsets>(term.dtype);
  if (step != term.element_bytes || offsets == nullptr)
    return add_loaded(kernels, axis, first, step, run);
  return offsets(run);
}

unsigned OffsetReader::read(const NestCursor& cursor, std::int64_t count, void* offsets) const {
  OffsetRun run;
  run.count = count;
  run.offsets = offsets;
  run.wide_offsets = plan_.wide_offsets;
  run.start = plan_.start + static_cast<std::uint64_t>(cursor.position(kIndirectTrack));
  run.lane_step = static_cast<std::uint64_t>(cursor.step(kIndirectTrack));
  if (plan_.axes.empty()) {
    plan_.wide_offsets ? write_ramp<std::uint64_t>(run) : write_ramp<std::uint32_t>(run);
    return 0;
  }
  return add_axes({cursor}, run);
}

unsigned OffsetReader::read_flat(const NestCursor& cursor, std::int64_t point, std::int64_t count,
                                 void* offsets) const {
  const FlatRuns& flat = *plan_.flat;
  if (flat.repeats)
    return read_repeated(cursor, point, count, static_cast<std::uint32_t*>(offsets));
  OffsetRun run;
  run.count = count;
  run.offsets = offsets;
  run.start = plan_.start + static_cast<std::uint64_t>(cursor.position(kIndirectTrack)) +
              static_cast<std::uint64_t>(point / flat.length) * flat.step;
  run.accumulate = true;
  std::memcpy(offsets, flat.pattern.data() + point % flat.length,
              static_cast<std::size_t>(count) * sizeof(std::uint32_t));
  return add_axes({cursor}, run);
}

// The runs' own offsets, and then each as often as its run has points.
unsigned OffsetReader::read_repeated(const NestCursor& cursor, std::int64_t point,
                                     std::int64_t count, std::uint32_t* offsets) const {
  const FlatRuns& flat = *plan_.flat;
  const std::int64_t first = point / flat.length;
  std::uint32_t of_runs[kBlockPoints];
  OffsetRun run;
  run.count = (point + count - 1) / flat.length - first + 1;
  run.offsets = of_runs;
  run.start = plan_.start + static_cast<std::uint64_t>(cursor.position(kIndirectTrack)) +
              static_cast<std::uint64_t>(first) * flat.step;
  run.lane_step = flat.step;
  const unsigned flags = add_axes({cursor, first - point}, run);
  if ((flags & kIndexBad) != 0) return flags;
  const std::uint32_t* pattern = flat.pattern.data() + point % flat.length;
  std::int64_t left = std::min(count, flat.length - point % flat.length);
  for (std::int64_t r = 0, done = 0; r < run.count; ++r) {
    const std::uint32_t start = of_runs[r];
    for (std::int64_t j = 0; j < left; ++j)
      offsets[done + j] = start == kOutside<std::uint32_t> ? start : start + pattern[j];
    done += left;
    left = std::min(count - done, flat.length);
    pattern = flat.pattern.data();
  }
  return flags;
}

unsigned OffsetReader::add_axes(const Place& place, OffsetRun& run) const {
  unsigned flags = 0;
  for (const AddressAxis& axis : plan_.axes) {
    flags |= axis.fused ? add_fused(axis, place, run) : add_general(axis, place, run);
    if ((flags & kIndexBad) != 0) return flags;
    run.accumulate = true;
    run.start = 0;
  }
  return flags;
}

void OffsetReader::load(const AddressAxis& axis, const AddressTerm& term, const Place& place,
                        std::int64_t count, std::int64_t* out) const {
  const std::byte* first = memory_.first_index(term) + place.position(term.track);
  load_indices(kernels_, axis, term, first, place.step(term.track), count, out);
}

unsigned OffsetReader::add_fused(const AddressAxis& axis, const Place& place,
                                 OffsetRun& run) const {
  const AddressTerm& term = axis.terms.front();
  const std::byte* first = memory_.first_index(term) + place.position(term.track);
  return add_fused_axis(kernels_, axis, first, place.step(term.track), run);
}

namespace {

// The part of the coordinates of a run that does not depend on indices.
template <class Place>
void start_coordinates(const AddressAxis& axis, const Place& place, std::int64_t count,
                       std::int64_t* coordinates) {
  const bool steps = axis.step_track != 0;
  const std::int64_t first = axis.base + (steps ? place.position(axis.step_track) : 0);
  const std::int64_t step = steps ? place.step(axis.step_track) : 0;
  for (std::int64_t j = 0; j < count; ++j) coordinates[j] = first + j * step;
}

}  // namespace

unsigned OffsetReader::add_padded(const AddressAxis& axis, const Place& place,
                                  OffsetRun& run) const {
  const AddressTerm& term = axis.terms.front();
  std::int64_t coordinates[kBlockPoints];
  std::int64_t values[kBlockPoints];
  bool padded[kBlockPoints];
  const bool any_padded = load_padded(kernels_, term.dtype, *term.padding,
                                      memory_.first_index(term) + place.position(term.track),
                                      place.step(term.track), run.count, values, padded);
  if (term.dtype == DType::kUint64)
    for (std::int64_t j = 0; j < run.count; ++j)
      values[j] = unsigned_index(axis, static_cast<std::uint64_t>(values[j]));
  if (term.legal && !all_legal(*term.legal, values, padded, run.count)) return kIndexBad;
  if (axis.extent == 0) {  // there is no cell
    std::fill_n(padded, run.count, true);
    return set_padding(padded, run);
  }
  start_coordinates(axis, place, run.count, coordinates);
  add_coordinates(axis, term, values, run.count, coordinates);
  // No policy takes 0 for a bad one.
  for (std::int64_t j = 0; j < run.count; ++j) coordinates[j] = padded[j] ? 0 : coordinates[j];
  set_axis(axis, false, run);
  run.indices = coordinates;
  const unsigned flags = kernels_.of_type<Family::kOffsets>(DType::kInt64)(run);
  return any_padded ? flags | set_padding(padded, run) : flags;
}

unsigned OffsetReader::add_general(const AddressAxis& axis, const Place& place,
                                   OffsetRun& run) const {
  if (axis.terms.front().padding) return add_padded(axis, place, run);
  std::int64_t coordinates[kBlockPoints];
  std::int64_t values[kBlockPoints];
  start_coordinates(axis, place, run.count, coordinates);
  for (const AddressTerm& term : axis.terms) {
    load(axis, term, place, run.count, values);
    if (term.legal && !all_legal(*term.legal, values, run.count)) return kIndexBad;
    add_coordinates(axis, term, values, run.count, coordinates);
  }
  set_axis(axis, false, run);
  run.indices = coordinates;
  return kernels_.of_type<Family::kOffsets>(DType::kInt64)(run);
}

}  // namespace windrow::internal
