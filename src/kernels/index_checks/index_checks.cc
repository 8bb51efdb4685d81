#include <cstring>

#include "src/kernels/registry.h"
#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/index_checks/index_checks.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/lane_set-inl.h"
#include "src/kernels/lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// Keeps owned offsets of whole vectors, whose total length is set in `done`. Returns the number of
// offsets kept. Also stores whole vectors, but never past the offsets read so far.
HWY_INLINE std::int64_t keep_owned_vectors(const std::uint32_t* HWY_RESTRICT offsets,
                                           std::int64_t count, std::uint32_t low,
                                           std::uint32_t extent, std::uint32_t* HWY_RESTRICT kept,
                                           std::uint32_t* HWY_RESTRICT positions,
                                           std::int64_t& done) {
  const SetLanes d;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(d));
  const auto first = hn::Set(d, low);
  const auto length = hn::Set(d, extent);
  const auto step = hn::Set(d, static_cast<std::uint32_t>(lanes));
  auto position = hn::Iota(d, 0);
  std::int64_t size = 0;
  for (; done + lanes <= count; done += lanes) {
    const auto offset = hn::LoadU(d, offsets + done);
    const LaneSet owned(hn::Lt(hn::Sub(offset, first), length));
    hn::StoreU(compress(offset, owned), d, kept + size);
    hn::StoreU(compress(position, owned), d, positions + size);
    size += count_lanes(owned);
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
    // Always written, but kept only if owned: no branch to mispredict.
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

template <class Index, bool kPads>
HWY_INLINE bool all_legal(const std::byte* indices, std::int64_t count, const LegalIndices& legal) {
  const std::int64_t low = legal.low;
  const std::int64_t high = legal.high;
  const auto padding = static_cast<Index>(legal.padding.value_or(0));
  unsigned any = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    Index value;
    std::memcpy(&value, indices + static_cast<std::size_t>(j) * sizeof(Index), sizeof value);
    unsigned outside = value < low ? 1U : 0U;
    outside |= value > high ? 1U : 0U;
    if constexpr (kPads) outside &= value == padding ? 0U : 1U;
    any |= outside;
  }
  return any == 0;
}

template <class Index>
bool all_within(const std::byte* indices, std::int64_t count, const LegalIndices& legal) noexcept {
  return legal.padding ? all_legal<Index, true>(indices, count, legal)
                       : all_legal<Index, false>(indices, count, legal);
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

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#define WINDROW_BIND bind_index_checks
#define WINDROW_ROWS "src/kernels/index_checks/rows.inc"
#include "src/kernels/bind_rows-inl.h"
