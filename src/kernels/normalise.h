#ifndef WINDROW_KERNELS_NORMALISE_H_
#define WINDROW_KERNELS_NORMALISE_H_

#include <cstdint>

#include "windrow/options.h"

namespace windrow::internal {

// The coordinate that an index stands for on an axis of `extent`, which must be at least 1 for a
// modulo. `wrap` is added to negative indices: the extent if these count from the end, else 0.
// `outside` is set to 1 if the coordinate is outside, else to 0; clamped and circular axes have no
// outside. Free of branches, so that loops around it are vectorised.
template <OutOfRange kPolicy>
[[gnu::always_inline]] inline std::int64_t normalise(std::int64_t index, std::int64_t extent,
                                                     std::int64_t wrap, unsigned& outside) {
  outside = 0;
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

}  // namespace windrow::internal

#endif  // WINDROW_KERNELS_NORMALISE_H_
