#ifndef WINDROW_DTYPE_H_
#define WINDROW_DTYPE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "windrow/export.h"

namespace windrow {

// The element type of a tensor. kAbsent marks an omitted optional input.
enum class DType : std::uint8_t {
  kAbsent = 0,
#define WINDROW_DTYPE(enumerator, name, bits, kind, ...) enumerator,
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
};

enum class DTypeKind : std::uint8_t {
  kAbsent,
  kBoolean,
  kSigned,
  kUnsigned,
  kFloat,
  kComplex,
  kText
};

// Bits that one element takes in memory: 8 * sizeof(std::string) for strings, 0 for kAbsent. Packed
// types take less than a byte. 4-bit elements stand two to a byte and 2-bit elements four to a
// byte, the first one in the lowest bits; kUint1 elements eight to a byte, the first one in the
// highest bit.
WINDROW_EXPORT int dtype_bits(DType type) noexcept;

// NumPy's (or ml_dtypes') name: "float32", "bfloat16", "int4", ...; "absent" for kAbsent.
WINDROW_EXPORT std::string_view dtype_name(DType type) noexcept;

WINDROW_EXPORT DTypeKind dtype_kind(DType type) noexcept;

// The type with that name, or nothing. The inverse of dtype_name() for all types but kAbsent.
WINDROW_EXPORT std::optional<DType> parse_dtype(std::string_view name) noexcept;

inline bool is_packed(DType type) noexcept {
  const int bits = dtype_bits(type);
  return bits > 0 && bits < 8;
}

inline bool is_integer(DType type) noexcept {
  return dtype_kind(type) == DTypeKind::kSigned || dtype_kind(type) == DTypeKind::kUnsigned;
}

// The DType of a C++ element type; only the types below have one.
template <class T>
struct dtype_of;
template <>
struct dtype_of<bool> {
  static constexpr DType value = DType::kBool;
};
template <>
struct dtype_of<std::int8_t> {
  static constexpr DType value = DType::kInt8;
};
template <>
struct dtype_of<std::int16_t> {
  static constexpr DType value = DType::kInt16;
};
template <>
struct dtype_of<std::int32_t> {
  static constexpr DType value = DType::kInt32;
};
template <>
struct dtype_of<std::int64_t> {
  static constexpr DType value = DType::kInt64;
};
template <>
struct dtype_of<std::uint8_t> {
  static constexpr DType value = DType::kUint8;
};
template <>
struct dtype_of<std::uint16_t> {
  static constexpr DType value = DType::kUint16;
};
template <>
struct dtype_of<std::uint32_t> {
  static constexpr DType value = DType::kUint32;
};
template <>
struct dtype_of<std::uint64_t> {
  static constexpr DType value = DType::kUint64;
};
template <>
struct dtype_of<float> {
  static constexpr DType value = DType::kFloat32;
};
template <>
struct dtype_of<double> {
  static constexpr DType value = DType::kFloat64;
};
template <>
struct dtype_of<std::string> {
  static constexpr DType value = DType::kString;
};

}  // namespace windrow

#endif  // WINDROW_DTYPE_H_
