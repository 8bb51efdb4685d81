#ifndef WINDROW_REFERENCE_ARRAY_INDICES_H_
#define WINDROW_REFERENCE_ARRAY_INDICES_H_

#include <string_view>

#include "src/reference/call.h"
#include "src/reference/indices.h"

namespace windrow::internal::reference {

// How the operators with an axis read their indices: a negative one counts from the end, but clamp
// takes it as below the first element. A bad one breaks `rule`.
inline IndexUse array_indices(const Call& call, std::string_view rule) {
  const bool clamps = call.policy() == OutOfRange::kClamp;
  return {rule, clamps ? Negatives::kOutside : Negatives::kCountFromEnd};
}

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_ARRAY_INDICES_H_
