#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "src/base/float_types.h"
#include "src/base/integers.h"
#include "src/kernels/normalise.h"
#include "src/kernels/registry.h"
#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/offsets/offsets.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/lines-inl.h"
#include "src/kernels/private-inl.h"
#include "src/kernels/vector_normalise-inl.h"

// Converts indices to offsets, a block at a time: simple loops without a branch on the policy,
// which the compiler vectorises for each target.
HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class Index>
HWY_INLINE void load_every(const std::byte* indices, std::int64_t step, std::int64_t count,
                           std::int64_t* HWY_RESTRICT out) {
  for (std::int64_t j = 0; j < count; ++j) {
    Index value;
    std::memcpy(&value, indices + j * step, sizeof value);
    out[j] = index_value(value);
  }
}

// Tuples of two and three coordinates are common: with a constant step the loop is vectorised.
template <class Index>
void load(const std::byte* indices, std::int64_t step, std::int64_t count,
          std::int64_t* HWY_RESTRICT out) noexcept {
  constexpr auto kBytes = static_cast<std::int64_t>(sizeof(Index));
  if (step == kBytes) return load_every<Index>(indices, kBytes, count, out);
  if (step == 2 * kBytes) return load_every<Index>(indices, 2 * kBytes, count, out);
  if (step == 3 * kBytes) return load_every<Index>(indices, 3 * kBytes, count, out);
  load_every<Index>(indices, step, count, out);
}

void load_float16(const std::byte* indices, std::int64_t step, std::int64_t count,
                  std::int64_t* HWY_RESTRICT out) noexcept {
  for (std::int64_t j = 0; j < count; ++j) {
    std::uint16_t bits;
    std::memcpy(&bits, indices + j * step, sizeof bits);
    out[j] = index_value(float16_to_float(bits));
  }
}

// The number of indices that are copied and checked together. With fewer, the vectors' results are
// combined too often; with 256, scatters along the last axis took a tenth longer.
constexpr std::int64_t kPrivate = 128;

// Whether what is outside has the offset of all ones, and is not bad.
template <OutOfRange kPolicy>
constexpr bool kMasked = kPolicy == OutOfRange::kZero || kPolicy == OutOfRange::kSkip;

// Computes the offsets of the elements [first, first + count) of a run, whose indices are private.
// Returns kIndex* flags.
template <OutOfRange kPolicy, bool kPads, bool kAccumulate, class Offset, class Index>
HWY_INLINE unsigned offsets_of_some(const OffsetRun& run, const Index* HWY_RESTRICT indices,
                                    std::int64_t first, std::int64_t count,
                                    Offset* HWY_RESTRICT offsets) {
  const std::int64_t extent = run.extent;
  const std::int64_t wrap = run.wraps ? extent : 0;
  const auto padding = static_cast<Index>(run.padding.value_or(0));
  const auto multiplier = static_cast<Offset>(run.multiplier);
  const auto lane_step = static_cast<Offset>(run.lane_step);
  auto start = static_cast<Offset>(run.start);
  if constexpr (!kAccumulate) start += static_cast<Offset>(first) * lane_step;
  unsigned any_bad = 0;
  unsigned any_outside = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    unsigned bad = 0;
    const std::int64_t coordinate = normalise<kPolicy>(indices[j], extent, wrap, bad);
    unsigned outside = kMasked<kPolicy> ? bad : 0;
    if constexpr (kPads) {
      const unsigned padded = indices[j] == padding ? 1 : 0;
      outside |= padded;
      bad &= padded ^ 1;
    }
    Offset offset = start + static_cast<Offset>(static_cast<Offset>(coordinate) * multiplier);
    if constexpr (kAccumulate) {
      if constexpr (kMasked<kPolicy>) outside |= offsets[j] == kOutside<Offset> ? 1 : 0;
      offset += offsets[j];
    } else {
      offset += static_cast<Offset>(j) * lane_step;
    }
    any_bad |= bad;
    any_outside |= outside;
    offsets[j] = outside != 0 ? kOutside<Offset> : offset;
  }
  if constexpr (kMasked<kPolicy>) any_bad = 0;
  return any_bad * kIndexBad | any_outside * kIndexOutside;
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3

constexpr std::int64_t kMostVectorExtent = std::numeric_limits<std::int32_t>::max();

// Same as offsets_of_some() for the whole vectors of a run, whose indices are read here. Adds its
// flags, and returns the number of elements.
template <bool kMasks, bool kPads, bool kAccumulate, class Index>
HWY_INLINE std::int64_t offsets_of_vectors(const OffsetRun& run, const std::byte* indices,
                                           std::uint32_t* HWY_RESTRICT offsets, unsigned& flags) {
  constexpr auto kLanes = static_cast<std::int64_t>(hn::MaxLanes(Lanes32()));
  using Normaliser = VectorNormaliser<hn::ScalableTag<std::make_unsigned_t<Index>>, kPads>;
  const Lanes32 d;
  const Normaliser normaliser(run.extent, run.wraps, run.padding);
  const auto ones = hn::Set(d, ~std::uint32_t{0});
  const auto multiplier = hn::Set(d, static_cast<std::uint32_t>(run.multiplier));
  const auto lane_step = static_cast<std::uint32_t>(run.lane_step);
  const auto step = hn::Set(d, static_cast<std::uint32_t>(kLanes) * lane_step);
  auto start = hn::Set(d, static_cast<std::uint32_t>(run.start));
  if constexpr (!kAccumulate)
    start = hn::Add(start, hn::Mul(hn::Iota(d, 0), hn::Set(d, lane_step)));
  auto most = hn::Zero(d);
  std::int64_t j = 0;
  for (; j + kLanes <= run.count; j += kLanes) {
    auto coordinate =
        coordinates(normaliser, indices + static_cast<std::size_t>(j) * sizeof(Index));
    auto offset = hn::Add(start, hn::Mul(coordinate, multiplier));
    if constexpr (kAccumulate) {
      const auto before = hn::LoadU(d, offsets + j);
      offset = hn::Add(offset, before);
      if constexpr (kMasks) coordinate = hn::IfThenElse(hn::Eq(before, ones), ones, coordinate);
    } else {
      start = hn::Add(start, step);
    }
    if constexpr (kPads) {
      offset = mark_outside(coordinate, offset);
    } else if constexpr (kMasks) {
      offset = hn::IfThenElse(hn::Eq(coordinate, ones), ones, offset);
    }
    most = hn::Max(most, coordinate);
    hn::StoreU(offset, d, offsets + j);
  }
  const bool any = !hn::AllFalse(d, hn::Eq(most, ones));
  if (any) flags |= kMasks ? kIndexOutside : kIndexBad;
  if (kPads && has_outside(most)) flags |= kIndexOutside;
  return j;
}

#endif

// Computes the offsets of one run. Returns kIndex* flags.
template <OutOfRange kPolicy, bool kPads, bool kAccumulate, class Offset, class Index>
HWY_INLINE unsigned offsets_of_run(const OffsetRun& run, const std::byte* indices,
                                   Offset* HWY_RESTRICT offsets) {
  PrivateCopy<Index, kPrivate> copy;
  unsigned flags = 0;
  std::int64_t j = 0;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  if constexpr (sizeof(Offset) == sizeof(std::uint32_t) && kPolicy != OutOfRange::kClamp &&
                kPolicy != OutOfRange::kModulo)
    if (run.extent <= kMostVectorExtent)
      j = offsets_of_vectors<kMasked<kPolicy>, kPads, kAccumulate, Index>(run, indices, offsets,
                                                                          flags);
#endif
  for (; j < run.count; j += kPrivate) {
    const std::int64_t count = std::min(run.count - j, kPrivate);
    copy.take(indices + static_cast<std::size_t>(j) * sizeof(Index), count);
    flags |= offsets_of_some<kPolicy, kPads, kAccumulate, Offset>(run, copy.elements, j, count,
                                                                  offsets + j);
  }
  return flags;
}

template <OutOfRange kPolicy, bool kPads, bool kAccumulate, class Offset, class Index>
unsigned offsets_of(const OffsetRun& run) noexcept {
  const auto* indices = static_cast<const std::byte*>(run.indices);
  auto* offsets = static_cast<Offset*>(run.offsets);
  unsigned flags = 0;
  for (std::int64_t r = 0; r < run.runs; ++r) {
    if (run.ahead > 0 && r + run.ahead < run.known_runs) {
      const auto bytes = static_cast<std::int64_t>(sizeof(Index)) * run.count;
      fetch_lines<1>(indices + run.ahead * run.run_step, bytes);
      // The indices of the next tile beside them; the hardware prefetcher only sees single lines.
      fetch_lines<2>(indices + bytes, bytes);
    }
    flags |= offsets_of_run<kPolicy, kPads, kAccumulate, Offset, Index>(run, indices, offsets);
    indices += run.run_step;
    offsets += run.count;
  }
  return flags;
}

template <OutOfRange kPolicy, bool kPads, class Index>
unsigned offsets_for(const OffsetRun& run) noexcept {
  if (run.wide_offsets)
    return run.accumulate ? offsets_of<kPolicy, kPads, true, std::uint64_t, Index>(run)
                          : offsets_of<kPolicy, kPads, false, std::uint64_t, Index>(run);
  return run.accumulate ? offsets_of<kPolicy, kPads, true, std::uint32_t, Index>(run)
                        : offsets_of<kPolicy, kPads, false, std::uint32_t, Index>(run);
}

template <bool kPads, class Index>
unsigned offsets_by_policy(const OffsetRun& run) noexcept {
  switch (run.policy) {
    case OutOfRange::kZero:
    case OutOfRange::kSkip:
      return offsets_for<OutOfRange::kSkip, kPads, Index>(run);
    case OutOfRange::kClamp:
      return offsets_for<OutOfRange::kClamp, kPads, Index>(run);
    case OutOfRange::kModulo:
      return offsets_for<OutOfRange::kModulo, kPads, Index>(run);
    case OutOfRange::kError:
      break;
  }
  return offsets_for<OutOfRange::kError, kPads, Index>(run);
}

template <class Index>
unsigned offsets_from(const OffsetRun& run) noexcept {
  return run.padding ? offsets_by_policy<true, Index>(run) : offsets_by_policy<false, Index>(run);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#define WINDROW_BIND bind_offsets
#define WINDROW_ROWS "src/kernels/offsets/rows.inc"
#include "src/kernels/bind_rows-inl.h"
