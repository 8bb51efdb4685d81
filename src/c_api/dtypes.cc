#include "src/c_api/dtypes.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace windrow::internal {
namespace {

// A type's number in C is its position here. The values of DType itself are not stable.
constexpr std::array kDTypes = {
    DType::kAbsent,     DType::kBool,           DType::kInt4,
    DType::kInt8,       DType::kInt16,          DType::kInt32,
    DType::kInt64,      DType::kUint4,          DType::kUint8,
    DType::kUint16,     DType::kUint32,         DType::kUint64,
    DType::kFloat16,    DType::kBFloat16,       DType::kFloat32,
    DType::kFloat64,    DType::kComplex64,      DType::kComplex128,
    DType::kString,     DType::kFloat8E4M3FN,   DType::kFloat8E4M3FNUZ,
    DType::kFloat8E5M2, DType::kFloat8E5M2FNUZ, DType::kFloat8E8M0,
    DType::kFloat4E2M1, DType::kUint1,          DType::kNF4,
};

#define WINDROW_DTYPE(enumerator, name, bits, kind) +1
constexpr std::size_t kDTypeCount = 1
#include "windrow/dtypes.inc"
    ;
#undef WINDROW_DTYPE
static_assert(kDTypes.size() == kDTypeCount, "every type has a number in C");

}  // namespace

std::optional<DType> from_c(windrow_dtype number) noexcept {
  if (number < 0 || number >= static_cast<windrow_dtype>(kDTypes.size())) return std::nullopt;
  return kDTypes[static_cast<std::size_t>(number)];
}

windrow_dtype to_c(DType dtype) noexcept {
  const auto found = std::find(kDTypes.begin(), kDTypes.end(), dtype);
  return static_cast<windrow_dtype>(found - kDTypes.begin());
}

}  // namespace windrow::internal

const char* windrow_dtype_name(windrow_dtype dtype) {
  const auto known = windrow::internal::from_c(dtype);
  if (!known) return nullptr;
  switch (*known) {
    case windrow::DType::kAbsent:
      return "absent";
#define WINDROW_DTYPE(enumerator, name, bits, kind) \
  case windrow::DType::enumerator:                  \
    return name;
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
  }
  return nullptr;
}

windrow_dtype windrow_dtype_parse(const char* name) {
  if (name == nullptr) return WINDROW_ABSENT;
  return windrow::internal::to_c(windrow::parse_dtype(name).value_or(windrow::DType::kAbsent));
}

int windrow_dtype_bits(windrow_dtype dtype) {
  if (dtype == WINDROW_STRING) return 8 * static_cast<int>(sizeof(windrow_string));
  return windrow::dtype_bits(windrow::internal::from_c(dtype).value_or(windrow::DType::kAbsent));
}
