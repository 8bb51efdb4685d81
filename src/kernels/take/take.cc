#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "src/base/memory.h"
#include "src/kernels/normalise.h"
#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/take/take.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/lines-inl.h"
#include "src/kernels/private-inl.h"
#include "src/kernels/registry.h"
#include "src/kernels/stream-inl.h"
#include "src/kernels/vector_normalise-inl.h"

// Elements that are taken straight from their indices: with single loads, with the machine's gather
// instructions where it has them, and out of tables in registers.
HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

#include "src/kernels/take/take_chunks.inc"

// Any chunk, without a branch on what is outside.
template <class Element>
void load_some(const std::byte* table, const Chunk& chunk, const Chunk& /*latest*/, std::byte* out,
               bool /*streams*/) {
  for (std::int64_t j = 0; j < chunk.count; ++j) {
    const std::size_t offset = chunk.offsets[j];
    const bool outside = offset == kOutside<std::uint32_t>;
    Element element;
    std::memcpy(&element, table + (outside ? 0 : offset) * sizeof element, sizeof element);
    element = outside ? Element{} : element;
    std::memcpy(out + static_cast<std::size_t>(j) * sizeof element, &element, sizeof element);
  }
}

// The place of an offset in a table; of one that is outside, the first place. Only if `kMasks` may
// there be one.
template <bool kMasks>
HWY_INLINE std::size_t place_of(std::uint32_t offset) {
  return kMasks && offset == kOutside<std::uint32_t> ? 0 : std::size_t{offset};
}

template <class Element, bool kFetches, bool kMasks>
HWY_INLINE void load_each(const std::byte* table, const Chunk& chunk, const Chunk& latest,
                          std::byte* out) {
  [[maybe_unused]] const std::byte* indices = latest.indices;
  [[maybe_unused]] const std::int64_t lines = latest.index_lines;
  for (std::size_t j = 0; j < kChunk; ++j) {
    if constexpr (kFetches) {
      // Evenly: a burst of fetches holds up the loads behind it.
      if (static_cast<std::int64_t>(j) < lines) fetch_stream(indices + j * kLine);
      fetch_line<2>(table + place_of<kMasks>(latest.offsets[j]) * sizeof(Element));
    }
    Element element;
    const std::uint32_t offset = chunk.offsets[j];
    std::memcpy(&element, table + place_of<kMasks>(offset) * sizeof element, sizeof element);
    if constexpr (kMasks) element = offset == kOutside<std::uint32_t> ? Element{} : element;
    std::memcpy(out + j * sizeof element, &element, sizeof element);
  }
}

template <class Element>
HWY_INLINE void load_one(const std::byte* table, std::uint64_t offset, std::byte* out) {
  std::memcpy(out, table + offset * sizeof(Element), sizeof(Element));
}

// A near table, of which nothing is outside. Two offsets are read at once: what a core can load in
// a cycle is the limit.
template <class Element>
HWY_INLINE void load_near(const std::byte* table, const Chunk& chunk, std::byte* out) {
  constexpr std::size_t kPairs = 2;
  for (std::size_t j = 0; j < kChunk; j += 2 * kPairs) {
    std::uint64_t pairs[kPairs];
    for (std::size_t p = 0; p < kPairs; ++p)
      std::memcpy(&pairs[p], chunk.offsets + j + 2 * p, sizeof pairs[p]);
#pragma GCC unroll 2
    for (std::size_t p = 0; p < kPairs; ++p) {
      std::byte* const to = out + (j + 2 * p) * sizeof(Element);
      load_one<Element>(table, static_cast<std::uint32_t>(pairs[p]), to);
      load_one<Element>(table, pairs[p] >> 32, to + sizeof(Element));
    }
  }
}

// A chunk of which nothing is outside.
template <class Element, bool kFetches>
HWY_INLINE void load_inside(const std::byte* table, const Chunk& chunk, const Chunk& latest,
                            std::byte* out) {
  if constexpr (kFetches) {
    load_each<Element, true, false>(table, chunk, latest, out);
  } else {
    load_near<Element>(table, chunk, out);
  }
}

template <class Element, bool kFetches>
HWY_INLINE void load_whole(const std::byte* table, const Chunk& chunk, const Chunk& latest,
                           std::byte* out, bool streams) {
  if (!streams && !chunk.any_outside)
    return load_inside<Element, kFetches>(table, chunk, latest, out);
  if (!streams) return load_each<Element, kFetches, true>(table, chunk, latest, out);
  alignas(64) std::byte elements[kChunk * sizeof(Element)];
  if (chunk.any_outside) {
    load_each<Element, kFetches, true>(table, chunk, latest, elements);
  } else {
    load_inside<Element, kFetches>(table, chunk, latest, elements);
  }
  stream_copy<WideStream>(out, elements, sizeof elements);
}

template <class Element>
void load_and_fetch(const std::byte* table, const Chunk& chunk, const Chunk& latest, std::byte* out,
                    bool streams) {
  load_whole<Element, true>(table, chunk, latest, out, streams);
}

// A loader is made for a table and takes whole chunks of its elements.
template <class Element>
class SingleLoads {
 public:
  static constexpr std::int64_t kElementBytes = sizeof(Element);

  explicit SingleLoads(const std::byte* table) : table_(table) {}

  HWY_INLINE void take(const Chunk& chunk, std::byte* out, bool streams) const {
    load_whole<Element, false>(table_, chunk, chunk, out, streams);
  }

 private:
  const std::byte* table_;
};

template <class Loads>
void load_with(const std::byte* table, const Chunk& chunk, const Chunk& /*latest*/, std::byte* out,
               bool streams) {
  Loads(table).take(chunk, out, streams);
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#include "src/kernels/take/take_near.inc"
#else
template <class Loads, class Index>
NearFunction near_loop(const TakeRun& /*run*/) {
  return nullptr;
}
#endif

template <class Element, class Index>
bool take_singly(const TakeRun& run) noexcept {
  using Loads = SingleLoads<Element>;
  return take_chunks<Index>(run, {sizeof(Element), sizeof(Index),
                                  run.ahead > 0 ? &load_and_fetch<Element> : &load_with<Loads>,
                                  &load_some<Element>, near_loop<Loads, Index>(run)});
}

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
#include "src/kernels/take/gather_chunk.inc"
#endif

#if HWY_TARGET == HWY_AVX3
#include "src/kernels/take/look_up_chunk.inc"
#endif

// Null: the target has no gather instructions.
template <class Element, class Index>
TakeFunction find_gather() {
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  return &take_gathered<Element, Index>;
#else
  return nullptr;
#endif
}

// Null: the machine has no permutation of bytes; those that have the rest of AVX-512 and not this
// are few.
template <class Element, class Index>
TakeFunction find_look_up() {
#if HWY_TARGET == HWY_AVX3
  if (__builtin_cpu_supports("avx512vbmi")) return &look_up<Element, Index>;
#endif
  return nullptr;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#define WINDROW_BIND bind_take
#define WINDROW_ROWS "src/kernels/take/rows.inc"
#include "src/kernels/bind_rows-inl.h"
