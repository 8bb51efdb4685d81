#include "src/dialects/onnx/reduction.h"

namespace windrow::internal {

Combine onnx_combine(const std::string& name) {
  if (name == "none") return Combine::kAssign;
  if (name == "add") return Combine::kAdd;
  if (name == "mul") return Combine::kMul;
  return name == "max" ? Combine::kMax : Combine::kMin;
}

Status check_reduction(const Rules& rules, const std::string& name, int version, DType dtype) {
  if (name == "none") return {};
  const bool ordered = name == "max" || name == "min";
  if ((name != "add" && name != "mul" && !ordered) || (ordered && version < 18))
    return rules.broken(ErrorCode::kInvalidArgument, "A3",
                        "reduction is '" + name + "', must be none, add" +
                            (version < 18 ? " or mul" : ", mul, max or min"));
  const DTypeKind kind = dtype_kind(dtype);
  if ((kind == DTypeKind::kComplex && ordered) || (kind == DTypeKind::kText && name == "mul"))
    return rules.broken(
        ErrorCode::kType, "A3",
        "reduction '" + name + "' has no meaning for " + std::string(dtype_name(dtype)));
  return {};
}

}  // namespace windrow::internal
