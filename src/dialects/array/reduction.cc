#include "src/dialects/array/reduction.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace windrow::internal {
namespace {

constexpr std::array<std::pair<std::string_view, Combine>, 5> kReductions = {{
    {"sum", Combine::kAdd},
    {"prod", Combine::kMul},
    {"min", Combine::kMin},
    {"max", Combine::kMax},
    {"mean", Combine::kMean},
}};

bool has_meaning(Combine combine, DType dtype) {
  if (combine == Combine::kAdd || combine == Combine::kMul) return true;
  if (dtype == DType::kBool) return combine != Combine::kMean;
  return dtype_kind(dtype) != DTypeKind::kComplex;
}

const auto* find_reduction(const std::string& name) {
  return std::find_if(kReductions.begin(), kReductions.end(),
                      [&](const auto& entry) { return entry.first == name; });
}

}  // namespace

Combine array_combine(const std::string& name) { return find_reduction(name)->second; }

Status check_reduction(const Rules& rules, const std::string& name, DType dtype) {
  const auto* const found = find_reduction(name);
  if (found == kReductions.end()) {
    std::string list;
    for (const auto& entry : kReductions)
      list += (list.empty() ? "" : ", ") + std::string(entry.first);
    return rules.broken(ErrorCode::kInvalidArgument, "A3",
                        "reduction is '" + name + "', must be one of: " + list);
  }
  if (has_meaning(found->second, dtype)) return {};
  return rules.broken(
      ErrorCode::kType, "A3",
      "reduction '" + name + "' has no meaning for " + std::string(dtype_name(dtype)));
}

}  // namespace windrow::internal
