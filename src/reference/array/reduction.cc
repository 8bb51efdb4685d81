#include "src/reference/array/reduction.h"

#include <string>

namespace windrow::internal::reference {

Result<Reduction> parse_array_reduction(const Call& call, std::string_view name, DType dtype) {
  const std::string text = "reduction is '" + std::string(name) + "'";
  const bool is_complex = dtype == DType::kComplex64 || dtype == DType::kComplex128;
  const auto where = [&](bool has_meaning, Reduction reduction) -> Result<Reduction> {
    if (has_meaning) return reduction;
    return call.error(ErrorCode::kType, "A3",
                      text + ", which has no meaning for " + std::string(dtype_name(dtype)));
  };
  if (name == "sum") return Reduction::kAdd;
  if (name == "prod") return Reduction::kMul;
  if (name == "min") return where(!is_complex, Reduction::kMin);
  if (name == "max") return where(!is_complex, Reduction::kMax);
  if (name == "mean") return where(!is_complex && dtype != DType::kBool, Reduction::kMean);
  return call.invalid("A3", text + ", must be one of: sum, prod, min, max, mean");
}

}  // namespace windrow::internal::reference
