#include <algorithm>
#include <cstring>

#include "src/base/float_types.h"
#include "src/base/index_value.h"
#include "src/kernels/bind.h"
#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/offsets/offsets.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/lines-inl.h"
#include "src/kernels/private-inl.h"

// From indices to offsets, a block at a time: simple loops without a branch on the policy, which
// the compiler turns into vector code for each target.
HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

template <class Index>
HWY_INLINE void load_every(const std::byte* indices, std::int64_t step, std::int64_t count,
                           std::int64_t* HWY_RESTRICT out) {
  for (std::int64_t j = 0; j < count; ++j) {
    Index value;
    std::memcpy(&value, indices + j * step, sizeof value);
    out[j] = index_value(value);
  }
}

// Tuples of two and three coordinates are usual: with a constant step the loop is vector code.
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

// One coordinate under a policy: `outside` tells whether it is (before clamping, 0 or 1).
template <OutOfRange kPolicy>
HWY_INLINE std::int64_t place(std::int64_t index, std::int64_t extent, std::int64_t wrap,
                              unsigned& outside) {
  if constexpr (kPolicy == OutOfRange::kModulo) {
    const std::int64_t rest = index % extent;
    return rest < 0 ? rest + extent : rest;
  }
  const std::int64_t coordinate = index < 0 ? index + wrap : index;
  if constexpr (kPolicy == OutOfRange::kClamp) {
    const std::int64_t low = coordinate < 0 ? 0 : coordinate;
    return low < extent ? low : extent - 1;
  }
  outside = static_cast<std::uint64_t>(coordinate) >= static_cast<std::uint64_t>(extent) ? 1 : 0;
  return coordinate;
}

// Indices that are copied and looked at together. With fewer, what vectors say of them is put
// together too often; with 256, scatters along the last axis took a tenth longer.
constexpr std::int64_t kPrivate = 128;

// The elements [first, first + count) of a run, whose indices are private; returns whether one is
// outside, 0 or 1.
template <OutOfRange kPolicy, bool kAccumulate, class Offset, class Index>
HWY_INLINE unsigned offsets_of_some(const OffsetRun& run, const Index* HWY_RESTRICT indices,
                                    std::int64_t first, std::int64_t count,
                                    Offset* HWY_RESTRICT offsets) {
  constexpr bool kMasks = kPolicy == OutOfRange::kZero || kPolicy == OutOfRange::kSkip;
  constexpr Offset kOutside = ~Offset{0};
  const std::int64_t extent = run.extent;
  const std::int64_t wrap = run.wraps ? extent : 0;
  const auto multiplier = static_cast<Offset>(run.multiplier);
  const auto lane_step = static_cast<Offset>(run.lane_step);
  auto start = static_cast<Offset>(run.start);
  if constexpr (!kAccumulate) start += static_cast<Offset>(first) * lane_step;
  unsigned any = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    unsigned outside = 0;
    const std::int64_t coordinate = place<kPolicy>(indices[j], extent, wrap, outside);
    Offset offset = start + static_cast<Offset>(static_cast<Offset>(coordinate) * multiplier);
    if constexpr (kAccumulate) {
      if constexpr (kMasks) outside |= offsets[j] == kOutside ? 1 : 0;
      offset += offsets[j];
    } else {
      offset += static_cast<Offset>(j) * lane_step;
    }
    any |= outside;
    offsets[j] = kMasks && outside != 0 ? kOutside : offset;
  }
  return any;
}

// One run; returns whether an index is outside, 0 or 1.
template <OutOfRange kPolicy, bool kAccumulate, class Offset, class Index>
HWY_INLINE unsigned offsets_of_run(const OffsetRun& run, const std::byte* indices,
                                   Offset* HWY_RESTRICT offsets) {
  PrivateCopy<Index, kPrivate> copy;
  unsigned any = 0;
  for (std::int64_t j = 0; j < run.count; j += kPrivate) {
    const std::int64_t count = std::min(run.count - j, kPrivate);
    copy.take(indices + static_cast<std::size_t>(j) * sizeof(Index), count);
    any |= offsets_of_some<kPolicy, kAccumulate, Offset>(run, copy.elements, j, count, offsets + j);
  }
  return any;
}

template <OutOfRange kPolicy, bool kAccumulate, class Offset, class Index>
unsigned offsets_of(const OffsetRun& run) noexcept {
  constexpr bool kMasks = kPolicy == OutOfRange::kZero || kPolicy == OutOfRange::kSkip;
  const auto* indices = static_cast<const std::byte*>(run.indices);
  auto* offsets = static_cast<Offset*>(run.offsets);
  unsigned any = 0;
  for (std::int64_t r = 0; r < run.runs; ++r) {
    if (run.ahead > 0 && r + run.ahead < run.known_runs) {
      const auto bytes = static_cast<std::int64_t>(sizeof(Index)) * run.count;
      fetch_lines<1>(indices + run.ahead * run.run_step, bytes);
      // The next tile's, beside them: the machine's own prefetcher sees single lines only.
      fetch_lines<2>(indices + bytes, bytes);
    }
    any |= offsets_of_run<kPolicy, kAccumulate, Offset, Index>(run, indices, offsets);
    indices += run.run_step;
    offsets += run.count;
  }
  if (any == 0) return 0;
  return kMasks ? kIndexOutside : kIndexBad;
}

template <OutOfRange kPolicy, class Index>
unsigned offsets_for(const OffsetRun& run) noexcept {
  if (run.wide_offsets)
    return run.accumulate ? offsets_of<kPolicy, true, std::uint64_t, Index>(run)
                          : offsets_of<kPolicy, false, std::uint64_t, Index>(run);
  return run.accumulate ? offsets_of<kPolicy, true, std::uint32_t, Index>(run)
                        : offsets_of<kPolicy, false, std::uint32_t, Index>(run);
}

template <class Index>
unsigned offsets_from(const OffsetRun& run) noexcept {
  switch (run.policy) {
    case OutOfRange::kZero:
    case OutOfRange::kSkip:
      return offsets_for<OutOfRange::kSkip, Index>(run);
    case OutOfRange::kClamp:
      return offsets_for<OutOfRange::kClamp, Index>(run);
    case OutOfRange::kModulo:
      return offsets_for<OutOfRange::kModulo, Index>(run);
    case OutOfRange::kError:
      break;
  }
  return offsets_for<OutOfRange::kError, Index>(run);
}

namespace hn = hwy::HWY_NAMESPACE;

// Whole vectors of offsets; `done` of them. Returns how many are kept. Stores whole vectors, too:
// no further than the offsets read so far.
HWY_INLINE std::int64_t keep_owned_vectors(const std::uint32_t* HWY_RESTRICT offsets,
                                           std::int64_t count, std::uint32_t low,
                                           std::uint32_t extent, std::uint32_t* HWY_RESTRICT kept,
                                           std::uint32_t* HWY_RESTRICT positions,
                                           std::int64_t& done) {
  const hn::ScalableTag<std::uint32_t> d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto first = hn::Set(d, low);
  const auto length = hn::Set(d, extent);
  const auto step = hn::Set(d, static_cast<std::uint32_t>(lanes));
  auto position = hn::Iota(d, 0);
  std::int64_t size = 0;
  for (; done + lanes <= count; done += lanes) {
    const auto offset = hn::LoadU(d, offsets + done);
    const auto owned = hn::Lt(hn::Sub(offset, first), length);
    hn::StoreU(hn::Compress(offset, owned), d, kept + size);
    hn::StoreU(hn::Compress(position, owned), d, positions + size);
    size += static_cast<std::int64_t>(hn::CountTrue(d, owned));
    position = hn::Add(position, step);
  }
  return size;
}

template <class Offset>
std::int64_t keep_owned(const Offset* HWY_RESTRICT offsets, std::int64_t count, std::uint64_t low,
                        std::uint64_t high, Offset* HWY_RESTRICT kept,
                        std::uint32_t* HWY_RESTRICT positions) {
  std::int64_t size = 0;
  std::int64_t done = 0;
  if constexpr (sizeof(Offset) == 4 && HWY_MAX_BYTES >= 32)
    size = keep_owned_vectors(offsets, count, static_cast<std::uint32_t>(low),
                              static_cast<std::uint32_t>(high - low), kept, positions, done);
  for (std::int64_t j = done; j < count; ++j) {
    kept[size] = offsets[j];
    positions[size] = static_cast<std::uint32_t>(j);
    // Always written, kept only if owned: no branch to mispredict.
    size += std::uint64_t{offsets[j]} - low < high - low ? 1 : 0;
  }
  return size;
}

std::int64_t select_owned(const void* offsets, bool wide, std::int64_t count, std::uint64_t low,
                          std::uint64_t high, void* kept, std::uint32_t* positions) noexcept {
  if (wide)
    return keep_owned(static_cast<const std::uint64_t*>(offsets), count, low, high,
                      static_cast<std::uint64_t*>(kept), positions);
  return keep_owned(static_cast<const std::uint32_t*>(offsets), count, low, high,
                    static_cast<std::uint32_t*>(kept), positions);
}

template <class Index>
bool all_within(const std::byte* indices, std::int64_t count, std::int64_t low,
                std::int64_t high) noexcept {
  unsigned outside = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    Index value;
    std::memcpy(&value, indices + static_cast<std::size_t>(j) * sizeof(Index), sizeof value);
    outside |= value < low ? 1U : 0U;
    outside |= value > high ? 1U : 0U;
  }
  return outside == 0;
}

template <class Index>
HWY_INLINE bool is_constant(const std::byte* indices, std::int64_t count) {
  Index first;
  std::memcpy(&first, indices, sizeof first);
  Index differs = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    Index value;
    std::memcpy(&value, indices + static_cast<std::size_t>(j) * sizeof(Index), sizeof value);
    differs |= value ^ first;
  }
  return differs == 0;
}

template <class Index>
bool constant_runs(const ConstantRuns& look) noexcept {
  const std::int64_t bytes = look.count * static_cast<std::int64_t>(sizeof(Index));
  for (std::int64_t r = 0; r < look.runs; ++r) {
    const std::byte* run = look.indices + r * look.run_step;
    for (std::int64_t at = 0; at < bytes; at += kLine) fetch_stream(run + at);
    if (!is_constant<Index>(run, look.count)) return false;
    std::memcpy(look.values + static_cast<std::size_t>(r) * sizeof(Index), run, sizeof(Index));
  }
  return true;
}

template <class Index>
void bind_load(KernelTable& table) {
  table.load[static_cast<std::size_t>(dtype_of<Index>::value)] = &load<Index>;
}

}  // namespace

void bind_offsets_target(KernelTable& table) {
  bind_load<std::int8_t>(table);
  bind_load<std::int16_t>(table);
  bind_load<std::int32_t>(table);
  bind_load<std::int64_t>(table);
  bind_load<std::uint8_t>(table);
  bind_load<std::uint16_t>(table);
  bind_load<std::uint32_t>(table);
  bind_load<std::uint64_t>(table);
  bind_load<float>(table);
  bind_load<double>(table);
  table.load[static_cast<std::size_t>(DType::kFloat16)] = &load_float16;
  table.all_within_int32 = &all_within<std::int32_t>;
  table.all_within_int64 = &all_within<std::int64_t>;
  table.constant_runs_int32 = &constant_runs<std::int32_t>;
  table.constant_runs_int64 = &constant_runs<std::int64_t>;
  table.offsets_from_int32 = &offsets_from<std::int32_t>;
  table.offsets_from_int64 = &offsets_from<std::int64_t>;
  table.select_owned = &select_owned;
}

}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace windrow::internal {

HWY_EXPORT(bind_offsets_target);

void bind_offsets(std::int64_t target, KernelTable& table) {
  HWY_DISPATCH_TABLE(bind_offsets_target)[WINDROW_TARGET_INDEX(target)](table);
}

}  // namespace windrow::internal
#endif  // HWY_ONCE
