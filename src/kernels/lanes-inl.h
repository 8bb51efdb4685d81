// The number of lanes of a vector. Included once per Highway target.
#if defined(WINDROW_KERNELS_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef WINDROW_KERNELS_LANES_INL_H_
#undef WINDROW_KERNELS_LANES_INL_H_
#else
#define WINDROW_KERNELS_LANES_INL_H_
#endif

#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

// A power of two. A constant, unless the target's vectors have a length that only the machine
// knows.
template <class D>
#if HWY_HAVE_SCALABLE
HWY_INLINE std::int64_t lane_count(D d) {
  return static_cast<std::int64_t>(hwy::HWY_NAMESPACE::Lanes(d));
}
#else
constexpr std::int64_t lane_count(D d) {
  return static_cast<std::int64_t>(hwy::HWY_NAMESPACE::MaxLanes(d));
}
#endif

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#endif  // WINDROW_KERNELS_LANES_INL_H_
