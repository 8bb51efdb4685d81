#include "src/models/types.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "src/models/check_inputs.h"
#include "src/models/value_info.h"

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

namespace {

struct TypeNames {
  DType type;
  std::string_view name;
  std::string_view precision;
};

// The first row of a type has the names that are written.
constexpr TypeNames kNames[] = {{DType::kBool, "boolean", "BOOL"},
                                {DType::kBFloat16, "bf16", "BF16"},
                                {DType::kFloat16, "f16", "FP16"},
                                {DType::kFloat32, "f32", "FP32"},
                                {DType::kFloat64, "f64", "FP64"},
                                {DType::kInt4, "i4", "I4"},
                                {DType::kInt8, "i8", "I8"},
                                {DType::kInt16, "i16", "I16"},
                                {DType::kInt32, "i32", "I32"},
                                {DType::kInt64, "i64", "I64"},
                                {DType::kUint1, "u1", "BIN"},
                                {DType::kUint4, "u4", "U4"},
                                {DType::kUint8, "u8", "U8"},
                                {DType::kUint16, "u16", "U16"},
                                {DType::kUint32, "u32", "U32"},
                                {DType::kUint64, "u64", "U64"},
                                {DType::kNF4, "nf4", "NF4"},
                                {DType::kFloat8E4M3FN, "f8e4m3", "F8E4M3"},
                                {DType::kFloat8E5M2, "f8e5m2", "F8E5M2"},
                                {DType::kFloat8E8M0, "f8e8m0", "F8E8M0"},
                                {DType::kFloat4E2M1, "f4e2m1", "F4E2M1"},
                                {DType::kString, "string", "STRING"},
                                {DType::kAbsent, "dynamic", "UNSPECIFIED"},
                                {DType::kBool, "bool", "BOOLEAN"},
                                {DType::kAbsent, "undefined", "DYNAMIC"},
                                {DType::kAbsent, "u2", "U2"},
                                {DType::kAbsent, "u3", "U3"},
                                {DType::kAbsent, "u6", "U6"},
                                {DType::kAbsent, "i2", "I2"}};

TypeNames names_of(DType type) noexcept {
  const TypeNames* const row =
      find_where(kNames, [type](const TypeNames& names) { return names.type == type; });
  return row == nullptr ? TypeNames{type, {}, {}} : *row;
}

char to_upper(char c) noexcept {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

}  // namespace

bool same_openvino_name(std::string_view a, std::string_view b) noexcept {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return to_upper(x) == to_upper(y); });
}

std::optional<DType> dtype_of_openvino(std::string_view name) noexcept {
  const TypeNames* const row = find_where(kNames, [name](const TypeNames& names) {
    return same_openvino_name(names.name, name) || same_openvino_name(names.precision, name);
  });
  return row == nullptr ? std::nullopt : std::optional(row->type);
}

std::string_view openvino_name(DType type) noexcept { return names_of(type).name; }

std::string_view openvino_precision(DType type) noexcept { return names_of(type).precision; }

}  // namespace windrow::internal
