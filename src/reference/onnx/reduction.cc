#include "src/reference/onnx/reduction.h"

#include <array>
#include <span>
#include <string>

#include "src/reference/reduction.h"

namespace windrow::internal::reference {
namespace {

constexpr std::array<NamedReduction, 5> kReductions = {{
    {"none", Reduction::kNone},
    {"add", Reduction::kAdd},
    {"mul", Reduction::kMul},
    {"max", Reduction::kMax},  // this and the next since 18
    {"min", Reduction::kMin},
}};

}  // namespace

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

Result<Reduction> parse_onnx_reduction(const Call& call, std::string_view name, int version) {
  if (version < 16 && name != "none")
    return call.invalid("A2", "reduction is '" + std::string(name) + "', an attribute since 16");
  const auto allowed = std::span(kReductions).first(version < 18 ? 3 : kReductions.size());
  return parse_reduction(call, name, allowed, &onnx_has_reduction);
}

}  // namespace windrow::internal::reference
