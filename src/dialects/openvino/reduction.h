#ifndef WINDROW_DIALECTS_OPENVINO_REDUCTION_H_
#define WINDROW_DIALECTS_OPENVINO_REDUCTION_H_

#include <array>

#include "src/dialects/reduction.h"

namespace windrow::internal {

// Those that ScatterElementsUpdate and ScatterNDUpdate have.
inline constexpr std::array<NamedCombine, 6> kElementReductions = {{
    {"none", Combine::kAssign},
    {"sum", Combine::kAdd},
    {"prod", Combine::kMul},
    {"min", Combine::kMin},
    {"max", Combine::kMax},
    {"mean", Combine::kMean},
}};
inline constexpr std::array<NamedCombine, 6> kTupleReductions = {{
    {"none", Combine::kAssign},
    {"sum", Combine::kAdd},
    {"sub", Combine::kSub},
    {"prod", Combine::kMul},
    {"min", Combine::kMin},
    {"max", Combine::kMax},
}};

inline bool openvino_has_meaning(Combine combine, DType dtype) {
  if (combine == Combine::kAssign) return true;
  if (dtype == DType::kBool) return combine != Combine::kMean;
  return dtype != DType::kString && dtype != DType::kUint1 && dtype != DType::kNF4;
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_OPENVINO_REDUCTION_H_
