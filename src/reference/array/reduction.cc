#include "src/reference/array/reduction.h"

#include <array>

#include "src/reference/reduction.h"

namespace windrow::internal::reference {
namespace {

constexpr std::array<NamedReduction, 5> kReductions = {{
    {"sum", Reduction::kAdd},
    {"prod", Reduction::kMul},
    {"min", Reduction::kMin},
    {"max", Reduction::kMax},
    {"mean", Reduction::kMean},
}};

bool has_meaning(DType dtype, Reduction reduction) {
  if (reduction == Reduction::kAdd || reduction == Reduction::kMul) return true;
  if (dtype == DType::kBool) return reduction != Reduction::kMean;
  return dtype != DType::kComplex64 && dtype != DType::kComplex128;
}

}  // namespace

Result<Reduction> parse_array_reduction(const Call& call, std::string_view name) {
  return parse_reduction(call, name, kReductions, &has_meaning);
}

}  // namespace windrow::internal::reference
