#include "python/src/element_types.h"

#include <array>
#include <cstring>
#include <string>

#include "windrow/shape.h"

namespace windrow::python {
namespace {

// By size: 1, 2, 4 and 8 bytes.
constexpr std::array kSigned = {DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64};
constexpr std::array kUnsigned = {DType::kUint8, DType::kUint16, DType::kUint32, DType::kUint64};

std::optional<DType> by_size(const std::array<DType, 4>& types, Py_ssize_t bytes) noexcept {
  for (const DType type : types)
    if (dtype_bits(type) == 8 * bytes) return type;
  return std::nullopt;
}

std::optional<DType> if_bytes(DType type, Py_ssize_t bytes) noexcept {
  if (dtype_bits(type) != 8 * bytes) return std::nullopt;
  return type;
}

// The codes of DLPack's DLDataTypeCode.
struct DlpackFloat {
  int code;
  int bits;
  DType type;
};
constexpr DlpackFloat kDlpackFloats[] = {
    {2, 16, DType::kFloat16},    {2, 32, DType::kFloat32},        {2, 64, DType::kFloat64},
    {4, 16, DType::kBFloat16},   {5, 64, DType::kComplex64},      {5, 128, DType::kComplex128},
    {6, 8, DType::kBool},        {10, 8, DType::kFloat8E4M3FN},   {11, 8, DType::kFloat8E4M3FNUZ},
    {12, 8, DType::kFloat8E5M2}, {13, 8, DType::kFloat8E5M2FNUZ}, {14, 8, DType::kFloat8E8M0},
};

}  // namespace

std::optional<DType> dtype_of_format(const char* format, Py_ssize_t element_bytes) noexcept {
  if (format == nullptr) return if_bytes(DType::kUint8, element_bytes);
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  const bool complex = *format == 'Z';
  if (complex) ++format;
  if (*format == 0 || format[1] != 0) return std::nullopt;
  if (complex)
    return if_bytes(*format == 'f' ? DType::kComplex64 : DType::kComplex128, element_bytes);
  switch (*format) {
    case '?':
      return if_bytes(DType::kBool, element_bytes);
    case 'e':
      return if_bytes(DType::kFloat16, element_bytes);
    case 'f':
      return if_bytes(DType::kFloat32, element_bytes);
    case 'd':
      return if_bytes(DType::kFloat64, element_bytes);
    default:
      break;
  }
  if (std::strchr("bhilqn", *format) != nullptr) return by_size(kSigned, element_bytes);
  if (std::strchr("BHILQN", *format) != nullptr) return by_size(kUnsigned, element_bytes);
  return std::nullopt;
}

std::optional<DType> dtype_of_dlpack(int code, int bits, int lanes) noexcept {
  if (lanes != 1) return std::nullopt;
  if (code == 0 && bits >= 8) return by_size(kSigned, bits / 8);
  if (code == 1 && bits >= 8) return by_size(kUnsigned, bits / 8);
  for (const DlpackFloat& entry : kDlpackFloats)
    if (entry.code == code && entry.bits == bits) return entry.type;
  return std::nullopt;
}

Error too_many_axes(const char* name, int rank) {
  return Error(Status(ErrorCode::kShape, std::string(name) + " has " + std::to_string(rank) +
                                             " axes, the limit is " + std::to_string(kMaxRank)));
}

}  // namespace windrow::python
