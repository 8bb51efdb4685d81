#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

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
void load_some(const Step& step) {
  for (std::int64_t j = 0; j < step.chunk.count; ++j) {
    const std::size_t offset = step.chunk.offsets[j];
    const bool outside = offset == kOutside;
    Element element;
    std::memcpy(&element, step.table + (outside ? 0 : offset) * sizeof element, sizeof element);
    element = outside ? Element{} : element;
    std::memcpy(step.out + static_cast<std::size_t>(j) * sizeof element, &element, sizeof element);
  }
}

template <class Element, bool kFetches>
HWY_INLINE void load_each(const Step& step, std::byte* out) {
  for (std::size_t j = 0; j < kChunk; ++j) {
    if constexpr (kFetches)
      fetch_line<2>(step.table + std::size_t{step.latest.offsets[j]} * sizeof(Element));
    std::memcpy(out + j * sizeof(Element),
                step.table + std::size_t{step.chunk.offsets[j]} * sizeof(Element), sizeof(Element));
  }
}

template <class Element, bool kFetches>
void load_whole(const Step& step) {
  if (!step.streams && !step.chunk.any_outside) return load_each<Element, kFetches>(step, step.out);
  alignas(64) std::byte elements[kChunk * sizeof(Element)];
  if (step.chunk.any_outside) {
    Step staged = step;
    staged.out = elements;
    load_some<Element>(staged);
  } else {
    load_each<Element, kFetches>(step, elements);
  }
  if (step.streams) return stream_copy<WideStream>(step.out, elements, sizeof elements);
  std::memcpy(step.out, elements, sizeof elements);
}

template <class Element, class Index>
bool take_singly(const TakeRun& run) noexcept {
  const LoadFunction whole =
      run.ahead > 0 ? &load_whole<Element, true> : &load_whole<Element, false>;
  return take_chunks<Index>(run, {sizeof(Element), sizeof(Index), whole, &load_some<Element>});
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
