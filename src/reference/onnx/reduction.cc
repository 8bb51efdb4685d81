#include "src/reference/onnx/reduction.h"

#include <string>

namespace windrow::internal::reference {

bool onnx_has_reduction(DType dtype, Reduction reduction) {
  switch (dtype_kind(dtype)) {
    case DTypeKind::kComplex:
      return reduction != Reduction::kMin && reduction != Reduction::kMax;
    case DTypeKind::kText:
      return reduction != Reduction::kMul;
    default:
      return true;
  }
}

Result<Reduction> parse_reduction(const Call& call, std::string_view name, int version,
                                  DType dtype) {
  const std::string text = "reduction is '" + std::string(name) + "'";
  if (version < 16 && name != "none") return call.invalid("A2", text + ", an attribute since 16");
  Reduction reduction = Reduction::kNone;
  if (name == "add") {
    reduction = Reduction::kAdd;
  } else if (name == "mul") {
    reduction = Reduction::kMul;
  } else if (name == "min" && version >= 18) {
    reduction = Reduction::kMin;
  } else if (name == "max" && version >= 18) {
    reduction = Reduction::kMax;
  } else if (name != "none") {
    return call.invalid(
        "A3", text + ", must be none, add or mul" + (version >= 18 ? ", or max or min" : ""));
  }
  if (!onnx_has_reduction(dtype, reduction)) {
    return call.error(ErrorCode::kType, "A3",
                      text + ", which has no meaning for " + std::string(dtype_name(dtype)));
  }
  return reduction;
}

}  // namespace windrow::internal::reference
