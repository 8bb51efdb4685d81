#include "src/execute/offset_block.h"

#include <cstring>

#include "src/base/checked.h"
#include "src/base/index_value.h"
#include "src/kernels/normalise.h"

namespace windrow::internal {
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

bool all_legal(const AddressTerm& term, const std::int64_t* values, std::int64_t count) {
  bool legal = true;
  for (std::int64_t j = 0; j < count; ++j) legal &= term.low <= values[j] && values[j] <= term.high;
  return legal;
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

// Reads `count` indices, `step` bytes apart. An index that does not fit in int64 becomes a
// congruent one on circular axes; on others the largest int64 has the same effect.
void load_indices(const KernelTable& kernels, const AddressAxis& axis, const AddressTerm& term,
                  const std::byte* first, std::int64_t step, std::int64_t count,
                  std::int64_t* values) {
  if (term.dtype != DType::kUint64 || axis.policy != OutOfRange::kModulo || axis.extent < 1)
    return kernels.of_type<Family::kLoad>(term.dtype)(first, step, count, values);
  for (std::int64_t j = 0; j < count; ++j) {
    std::uint64_t element;
    std::memcpy(&element, first + j * step, sizeof element);
    values[j] = congruent_value(element, axis.extent);
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
  run.start = plan_.start + static_cast<std::uint64_t>(cursor.position(kIndirectStream));
  run.lane_step = static_cast<std::uint64_t>(cursor.step(kIndirectStream));
  if (plan_.axes.empty()) {
    plan_.wide_offsets ? write_ramp<std::uint64_t>(run) : write_ramp<std::uint32_t>(run);
    return 0;
  }
  return add_axes(cursor, run);
}

unsigned OffsetReader::read_flat(const NestCursor& cursor, std::int64_t point, std::int64_t count,
                                 void* offsets) const {
  const FlatRuns& flat = *plan_.flat;
  OffsetRun run;
  run.count = count;
  run.offsets = offsets;
  run.start = plan_.start + static_cast<std::uint64_t>(cursor.position(kIndirectStream)) +
              static_cast<std::uint64_t>(point / flat.length) * flat.step;
  run.accumulate = true;
  std::memcpy(offsets, flat.pattern.data() + point % flat.length,
              static_cast<std::size_t>(count) * sizeof(std::uint32_t));
  return add_axes(cursor, run);
}

unsigned OffsetReader::add_axes(const NestCursor& cursor, OffsetRun& run) const {
  unsigned flags = 0;
  for (const AddressAxis& axis : plan_.axes) {
    flags |= axis.fused ? add_fused(axis, cursor, run) : add_general(axis, cursor, run);
    if ((flags & kIndexBad) != 0) return flags;
    run.accumulate = true;
    run.start = 0;
  }
  return flags;
}

void OffsetReader::load(const AddressAxis& axis, const AddressTerm& term, const NestCursor& cursor,
                        std::int64_t count, std::int64_t* out) const {
  const std::byte* first = memory_.first_index(term) + cursor.position(term.stream);
  load_indices(kernels_, axis, term, first, cursor.step(term.stream), count, out);
}

unsigned OffsetReader::add_fused(const AddressAxis& axis, const NestCursor& cursor,
                                 OffsetRun& run) const {
  const AddressTerm& term = axis.terms.front();
  const std::byte* first = memory_.first_index(term) + cursor.position(term.stream);
  return add_fused_axis(kernels_, axis, first, cursor.step(term.stream), run);
}

unsigned OffsetReader::add_general(const AddressAxis& axis, const NestCursor& cursor,
                                   OffsetRun& run) const {
  std::int64_t coordinates[kBlockPoints];
  std::int64_t values[kBlockPoints];
  const bool steps = axis.step_stream != 0;
  const std::int64_t first = axis.base + (steps ? cursor.position(axis.step_stream) : 0);
  const std::int64_t step = steps ? cursor.step(axis.step_stream) : 0;
  for (std::int64_t j = 0; j < run.count; ++j) coordinates[j] = first + j * step;
  for (const AddressTerm& term : axis.terms) {
    load(axis, term, cursor, run.count, values);
    if (term.checked && !all_legal(term, values, run.count)) return kIndexBad;
    add_coordinates(axis, term, values, run.count, coordinates);
  }
  set_axis(axis, false, run);
  run.indices = coordinates;
  return kernels_.of_type<Family::kOffsets>(DType::kInt64)(run);
}

}  // namespace windrow::internal
