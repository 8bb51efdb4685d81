#include "src/models/types.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "src/models/check_inputs.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

// The types by ONNX's numbers.
constexpr auto kTypes = [] {
  std::array<DType, 26> types{};
#define WINDROW_DTYPE(enumerator, name, bits, kind, c_name, onnx, ...) \
  if (onnx != 0) types[onnx] = DType::enumerator;
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
  return types;
}();
// The types that follow those, which the library does not have.
constexpr std::array<std::string_view, 3> kOtherTypes = {"int2", "float6e2m3", "float6e3m2"};

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
constexpr TypeNames kNames[] = {
#define WINDROW_DTYPE(enumerator, name, bits, kind, c_name, onnx, openvino, precision, ...) \
  {DType::enumerator, openvino, precision},
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
    {DType::kAbsent, "dynamic", "UNSPECIFIED"},
    {DType::kBool, "bool", "BOOLEAN"},
    {DType::kAbsent, "undefined", "DYNAMIC"},
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
  if (name.empty()) return std::nullopt;  // as the types are named that OpenVINO does not have
  const TypeNames* const row = find_where(kNames, [name](const TypeNames& names) {
    return same_openvino_name(names.name, name) || same_openvino_name(names.precision, name);
  });
  return row == nullptr ? std::nullopt : std::optional(row->type);
}

std::string_view openvino_name(DType type) noexcept { return names_of(type).name; }

std::string_view openvino_precision(DType type) noexcept { return names_of(type).precision; }

}  // namespace windrow::internal
