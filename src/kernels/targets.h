#ifndef WINDROW_KERNELS_TARGETS_H_
#define WINDROW_KERNELS_TARGETS_H_

// Include before <hwy/highway.h>: instruction sets between the baseline and AVX2 would add code but
// no speed. So would those of SVE for one length of vectors, and SVE2, none of whose additions the
// kernels use.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#if defined(__aarch64__)
// `plain` is what the compiler makes of loops, as on x86-64.
#define HWY_BASELINE_TARGETS HWY_BASELINE_SCALAR
#endif

// The index of a Highway target in the table that HWY_EXPORT makes; 0 where only one target is
// compiled.
#define WINDROW_TARGET_INDEX(target)                      \
  ([](std::int64_t chosen) -> std::size_t {               \
    if ((HWY_TARGETS & (HWY_TARGETS - 1)) == 0) return 0; \
    hwy::ChosenTarget state;                              \
    state.Update(chosen);                                 \
    return state.GetIndex();                              \
  }(target))

#endif  // WINDROW_KERNELS_TARGETS_H_
