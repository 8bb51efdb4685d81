#ifndef WINDROW_DIALECTS_ONNX_REDUCTION_H_
#define WINDROW_DIALECTS_ONNX_REDUCTION_H_

#include <array>
#include <span>

#include "src/dialects/reduction.h"

namespace windrow::internal {

inline constexpr std::array<NamedCombine, 5> kOnnxReductions = {{
    {"none", Combine::kAssign},
    {"add", Combine::kAdd},
    {"mul", Combine::kMul},
    {"max", Combine::kMax},  // this and the next since 18
    {"min", Combine::kMin},
}};

inline std::span<const NamedCombine> onnx_reductions(int version) {
  return std::span(kOnnxReductions).first(version < 18 ? 3 : kOnnxReductions.size());
}

inline bool onnx_has_meaning(Combine combine, DType dtype) {
  const DTypeKind kind = dtype_kind(dtype);
  const bool ordered = combine == Combine::kMax || combine == Combine::kMin;
  return !(kind == DTypeKind::kComplex && ordered) &&
         !(kind == DTypeKind::kText && combine == Combine::kMul);
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ONNX_REDUCTION_H_
