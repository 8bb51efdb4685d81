#include "src/models/onnx_types.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "src/models/text.h"

namespace windrow::internal {
namespace {

// Indexed by ONNX's numbers.
constexpr std::array<DType, 25> kTypes = {
    DType::kAbsent,         DType::kFloat32,      DType::kUint8,          DType::kInt8,
    DType::kUint16,         DType::kInt16,        DType::kInt32,          DType::kInt64,
    DType::kString,         DType::kBool,         DType::kFloat16,        DType::kFloat64,
    DType::kUint32,         DType::kUint64,       DType::kComplex64,      DType::kComplex128,
    DType::kBFloat16,       DType::kFloat8E4M3FN, DType::kFloat8E4M3FNUZ, DType::kFloat8E5M2,
    DType::kFloat8E5M2FNUZ, DType::kUint4,        DType::kInt4,           DType::kFloat4E2M1,
    DType::kFloat8E8M0};
// The types that follow those, which the library does not have.
constexpr std::array<std::string_view, 4> kOtherTypes = {"uint2", "int2", "float6e2m3",
                                                         "float6e3m2"};

}  // namespace

DType dtype_of_onnx(std::int32_t id) noexcept {
  const bool known = id >= 0 && id < static_cast<std::int32_t>(kTypes.size());
  return known ? kTypes[static_cast<std::size_t>(id)] : DType::kAbsent;
}

std::string other_type_of_onnx(std::int32_t id) {
  if (id == 0 || dtype_of_onnx(id) != DType::kAbsent) return {};
  const auto position = static_cast<std::size_t>(id) - kTypes.size();
  const bool is_named = id > 0 && position < kOtherTypes.size();
  return is_named ? std::string(kOtherTypes[position]) : "element type " + std::to_string(id);
}

std::int32_t onnx_of_dtype(DType type) noexcept {
  const auto* const found = std::find(kTypes.begin(), kTypes.end(), type);
  return found == kTypes.end() ? 0 : static_cast<std::int32_t>(found - kTypes.begin());
}

Status check_onnx_type(DType type) {
  if (onnx_of_dtype(type) != 0) return {};
  return unsupported_error("ONNX has no element type ", dtype_name(type));
}

}  // namespace windrow::internal
