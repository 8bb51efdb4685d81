#ifndef WINDROW_KERNELS_TAKE_STRAIGHT_FAST_GATHERS_H_
#define WINDROW_KERNELS_TAKE_STRAIGHT_FAST_GATHERS_H_

namespace windrow::internal {

// Whether the gather instructions of this machine beat single loads: they are many times slower on
// some, by design or by a mitigation. Timed once, in a few microseconds. False where there are
// none.
bool has_fast_gathers() noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_KERNELS_TAKE_STRAIGHT_FAST_GATHERS_H_
