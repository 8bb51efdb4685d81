#include "src/dialects/reduction.h"

#include <algorithm>

namespace windrow::internal {
namespace {

auto find(std::span<const NamedCombine> reductions, std::string_view name) {
  return std::find_if(reductions.begin(), reductions.end(),
                      [&](const NamedCombine& known) { return known.name == name; });
}

}  // namespace

Status check_reduction(const Rules& rules, const std::string& name,
                       std::span<const NamedCombine> reductions, DType dtype,
                       bool (*has_meaning)(Combine, DType)) {
  const auto found = find(reductions, name);
  if (found == reductions.end()) {
    std::string list;
    for (const NamedCombine& known : reductions)
      list += (list.empty() ? "" : ", ") + std::string(known.name);
    return rules.invalid("A3", "reduction is '" + name + "', must be one of: " + list);
  }
  if (has_meaning(found->combine, dtype)) return {};
  return rules.broken(
      ErrorCode::kType, "A3",
      "reduction '" + name + "' has no meaning for " + std::string(dtype_name(dtype)));
}

Combine find_combine(std::span<const NamedCombine> reductions, std::string_view name) {
  return find(reductions, name)->combine;
}

}  // namespace windrow::internal
