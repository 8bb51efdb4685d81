#include "src/reference/reduction.h"

#include <string>

namespace windrow::internal::reference {

Result<Reduction> parse_reduction(const Call& call, std::string_view name,
                                  std::span<const NamedReduction> allowed,
                                  bool (*has_meaning)(DType, Reduction)) {
  const std::string text = "reduction is '" + std::string(name) + "'";
  const DType dtype = call.data().dtype;
  std::string names;
  for (const NamedReduction& known : allowed) {
    names += (names.empty() ? "" : ", ") + std::string(known.name);
    if (known.name != name) continue;
    if (has_meaning(dtype, known.reduction)) return known.reduction;
    return call.error(ErrorCode::kType, "A3",
                      text + ", which has no meaning for " + std::string(dtype_name(dtype)));
  }
  return call.invalid("A3", text + ", must be one of: " + names);
}

}  // namespace windrow::internal::reference
