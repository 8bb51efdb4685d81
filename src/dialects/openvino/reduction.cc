#include "src/dialects/openvino/reduction.h"

#include <algorithm>

namespace windrow::internal {
namespace {

bool has_meaning(Combine combine, DType dtype) {
  if (combine == Combine::kAssign) return true;
  if (dtype == DType::kBool) return combine != Combine::kMean;
  return dtype != DType::kString && dtype != DType::kUint1 && dtype != DType::kNF4;
}

}  // namespace

Combine openvino_combine(std::string_view name) {
  if (name == "sum") return Combine::kAdd;
  if (name == "sub") return Combine::kSub;
  if (name == "prod") return Combine::kMul;
  if (name == "min") return Combine::kMin;
  if (name == "max") return Combine::kMax;
  if (name == "mean") return Combine::kMean;
  return Combine::kAssign;
}

Status check_reduction(const Rules& rules, const std::string& name,
                       std::span<const std::string_view> names, DType dtype) {
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    std::string list;
    for (const std::string_view known : names)
      list += (list.empty() ? "" : ", ") + std::string(known);
    return rules.broken(ErrorCode::kInvalidArgument, "A3",
                        "reduction is '" + name + "', must be one of: " + list);
  }
  if (has_meaning(openvino_combine(name), dtype)) return {};
  return rules.broken(
      ErrorCode::kType, "A3",
      "reduction '" + name + "' has no meaning for " + std::string(dtype_name(dtype)));
}

}  // namespace windrow::internal
