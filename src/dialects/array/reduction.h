#ifndef WINDROW_DIALECTS_ARRAY_REDUCTION_H_
#define WINDROW_DIALECTS_ARRAY_REDUCTION_H_

#include <array>

#include "src/dialects/reduction.h"

namespace windrow::internal {

inline constexpr std::array<NamedCombine, 5> kArrayReductions = {{
    {"sum", Combine::kAdd},
    {"prod", Combine::kMul},
    {"min", Combine::kMin},
    {"max", Combine::kMax},
    {"mean", Combine::kMean},
}};

inline bool array_has_meaning(Combine combine, DType dtype) {
  if (combine == Combine::kAdd || combine == Combine::kMul) return true;
  if (dtype == DType::kBool) return combine != Combine::kMean;
  return dtype_kind(dtype) != DTypeKind::kComplex;
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ARRAY_REDUCTION_H_
