#ifndef WINDROW_DIALECTS_ARRAY_INDICES_H_
#define WINDROW_DIALECTS_ARRAY_INDICES_H_

#include "src/dialects/maps.h"

namespace windrow::internal {

// Under clamp a negative index is below the first element, as in NumPy's mode "clip"; under the
// other policies it counts from the end.
inline IndexUse array_indices(OutOfRange policy) {
  return {policy, policy == OutOfRange::kClamp ? Negatives::kOutside : Negatives::kCountFromEnd};
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ARRAY_INDICES_H_
