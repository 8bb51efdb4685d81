// Indices that are read once. Included once per Highway target.
#if defined(WINDROW_KERNELS_PRIVATE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WINDROW_KERNELS_PRIVATE_INL_H_
#undef WINDROW_KERNELS_PRIVATE_INL_H_
#else
#define WINDROW_KERNELS_PRIVATE_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "src/base/memory.h"
#include "src/kernels/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A vector that the compiler cannot load again from its source: memory that others may change must
// not be checked in one load and used in another.
template <class D>
HWY_INLINE hn::Vec<D> load_once(D d, const std::byte* from) {
  hn::Vec<D> vector = hn::LoadU(d, reinterpret_cast<const hn::TFromD<D>*>(from));
#if HWY_COMPILER_CLANG && (HWY_TARGET == HWY_EMU128 || HWY_TARGET == HWY_SCALAR)
  // An array, or a single number: this compiler takes such operands only in memory.
  __asm__("" : "+m"(vector.raw));
#elif HWY_ARCH_X86
  __asm__("" : "+x"(vector.raw));
#else
  __asm__("" : : : "memory");
#endif
  return vector;
}

// A private copy of at most kMost elements, for loops that the compiler vectorises. Copies and
// reads use whole vectors, because narrower stores would delay wider loads.
template <class T, std::int64_t kMost>
struct PrivateCopy {
  HWY_ALIGN T elements[kMost];

  // Copies kMost elements, which need not be aligned.
  HWY_INLINE void take_all(const std::byte* from) {
    static_assert(kMost % static_cast<std::int64_t>(hn::MaxLanes(Tag())) == 0);
    for (std::int64_t at = 0; at < kMost; at += lane_count(Tag())) take_vector(from, at);
  }
  // Copies `count` elements; the others are unspecified.
  HWY_INLINE void take(const std::byte* from, std::int64_t count) {
    std::int64_t at = 0;
    for (; at + lane_count(Tag()) <= count; at += lane_count(Tag())) take_vector(from, at);
    for (; at < count; ++at) elements[at] = read_once<T>(from + at * kBytes);
  }

 private:
  using Tag = hn::ScalableTag<T>;
  static constexpr auto kBytes = static_cast<std::int64_t>(sizeof(T));

  HWY_INLINE void take_vector(const std::byte* from, std::int64_t at) {
    const Tag d;
    hn::Store(load_once(d, from + at * kBytes), d, elements + at);
  }
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#endif  // WINDROW_KERNELS_PRIVATE_INL_H_
