#include "src/reference/openvino/reduction.h"

#include <string>

namespace windrow::internal::reference {
namespace {

std::string_view name_of(Reduction reduction) {
  switch (reduction) {
    case Reduction::kAdd:
      return "sum";
    case Reduction::kSub:
      return "sub";
    case Reduction::kMul:
      return "prod";
    case Reduction::kMin:
      return "min";
    case Reduction::kMax:
      return "max";
    case Reduction::kMean:
      return "mean";
    default:
      return "none";
  }
}

}  // namespace

bool openvino_has_reduction(DType dtype, Reduction reduction) {
  if (reduction == Reduction::kNone) return true;
  if (dtype == DType::kBool) return reduction != Reduction::kMean;
  return dtype != DType::kString && dtype != DType::kUint1 && dtype != DType::kNF4;
}

Result<Reduction> parse_reduction(const Call& call, std::string_view name, DType dtype,
                                  std::span<const Reduction> allowed) {
  const std::string text = "reduction is '" + std::string(name) + "'";
  std::string names;
  for (const Reduction reduction : allowed) {
    names += (names.empty() ? "" : ", ") + std::string(name_of(reduction));
    if (name_of(reduction) != name) continue;
    if (openvino_has_reduction(dtype, reduction)) return reduction;
    return call.error(ErrorCode::kType, "A3",
                      text + ", which has no meaning for " + std::string(dtype_name(dtype)));
  }
  return call.invalid("A3", text + ", must be one of: " + names);
}

}  // namespace windrow::internal::reference
