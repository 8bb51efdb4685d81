#include "src/reference/openvino/reduction.h"

namespace windrow::internal::reference {

bool openvino_has_reduction(DType dtype, Reduction reduction) {
  if (reduction == Reduction::kNone) return true;
  if (dtype == DType::kBool) return reduction != Reduction::kMean;
  return dtype != DType::kString && dtype != DType::kUint1 && dtype != DType::kNF4;
}

}  // namespace windrow::internal::reference
