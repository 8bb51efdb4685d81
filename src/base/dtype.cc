#include "windrow/dtype.h"

#include <array>

namespace windrow {
namespace {

struct Row {
  std::string_view name;
  int bits;
  DTypeKind kind;
};

// Indexed by the enumerator's value.
constexpr std::array kRows = {
    Row{"absent", 0, DTypeKind::kAbsent},
#define WINDROW_DTYPE(enumerator, name, bits, kind) Row{name, bits, DTypeKind::kind},
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
};

const Row& row(DType type) noexcept { return kRows[static_cast<std::size_t>(type)]; }

}  // namespace

int dtype_bits(DType type) noexcept { return row(type).bits; }

std::string_view dtype_name(DType type) noexcept { return row(type).name; }

DTypeKind dtype_kind(DType type) noexcept { return row(type).kind; }

std::optional<DType> parse_dtype(std::string_view name) noexcept {
  for (std::size_t i = 1; i < kRows.size(); ++i) {
    if (kRows[i].name == name) return static_cast<DType>(i);
  }
  return std::nullopt;
}

}  // namespace windrow
