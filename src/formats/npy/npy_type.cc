#include "src/formats/npy/npy_type.h"

#include <array>
#include <charconv>
#include <optional>

namespace windrow::internal {
namespace {

// Characters of a text element; what is beyond is longer than any file.
constexpr std::int64_t kMaxLength = std::int64_t{1} << 40;

struct NamedType {
  std::string_view name;  // descr without its byte order
  DType dtype;
};

// "f1" is the name that ml_dtypes gives to float8_e5m2.
constexpr std::array<NamedType, 15> kNamedTypes = {{{"b1", DType::kBool},
                                                    {"i1", DType::kInt8},
                                                    {"i2", DType::kInt16},
                                                    {"i4", DType::kInt32},
                                                    {"i8", DType::kInt64},
                                                    {"u1", DType::kUint8},
                                                    {"u2", DType::kUint16},
                                                    {"u4", DType::kUint32},
                                                    {"u8", DType::kUint64},
                                                    {"f1", DType::kFloat8E5M2},
                                                    {"f2", DType::kFloat16},
                                                    {"f4", DType::kFloat32},
                                                    {"f8", DType::kFloat64},
                                                    {"c8", DType::kComplex64},
                                                    {"c16", DType::kComplex128}}};

bool is_small_float(DType type) {
  return dtype_kind(type) == DTypeKind::kFloat && dtype_bits(type) == 8;
}

Status unsupported(std::string_view descr, std::string_view why) {
  return {ErrorCode::kUnsupported,
          ".npy type '" + std::string(descr) + "' is not supported: " + std::string(why)};
}

Result<NpyType> parse_text(std::string_view descr, std::string_view digits) {
  std::int64_t length = 0;
  const auto [end, error] = std::from_chars(digits.begin(), digits.end(), length);
  if (error != std::errc() || end != digits.end() || length < 0 || length > kMaxLength)
    return Status(ErrorCode::kFormat, "bad .npy type '" + std::string(descr) + "'");
  const bool bytes = descr[1] == 'S';
  return NpyType{bytes ? length : 4 * length, bytes ? NpyText::kBytes : NpyText::kUtf32,
                 DType::kString, DType::kString};
}

// What stored numbers are when the caller expects `expected` of them.
DType interpret(DType stored, DType expected) {
  if (stored == DType::kUint16 && expected == DType::kBFloat16) return expected;
  if (stored == DType::kUint8 && is_small_float(expected)) return expected;
  if ((stored == DType::kUint8 || stored == DType::kInt8) && is_packed(expected)) return expected;
  return stored;
}

Result<NpyType> parse_raw(std::string_view descr, DType expected) {
  const std::string_view size = descr.substr(2);
  if (size == "2" && (descr[0] == '<' || dtype_bits(expected) == 16))
    return NpyType{2, NpyText::kNone, DType::kUint16,
                   dtype_bits(expected) == 16 ? expected : DType::kBFloat16};
  if (size == "1" && (dtype_bits(expected) == 8 || is_packed(expected)))
    return NpyType{1, NpyText::kNone, DType::kUint8, expected};
  if (size == "1" || size == "2")
    return unsupported(descr, "raw bytes, and nothing says which type they are");
  return unsupported(descr, "raw bytes");
}

}  // namespace

Result<NpyType> parse_npy_type(std::string_view descr, DType expected) {
  if (descr.size() < 2)
    return Status(ErrorCode::kFormat, "bad .npy type '" + std::string(descr) + "'");
  const char kind = descr[1];
  if (kind == 'O') return unsupported(descr, "pickled Python objects");
  if (kind == 'M' || kind == 'm') return unsupported(descr, "dates and times");
  const std::string_view name = descr.substr(1);
  if (std::string_view("<>=|").find(descr[0]) == std::string_view::npos)
    return unsupported(descr, "no byte order");
  const bool single_bytes = name.substr(1) == "1" && kind != 'U';
  if (descr[0] == '>' && kind != 'S' && !single_bytes) return unsupported(descr, "big-endian");
  if (kind == 'U' || kind == 'S') return parse_text(descr, name.substr(1));
  if (kind == 'V') return parse_raw(descr, expected);
  for (const NamedType& known : kNamedTypes) {
    if (known.name == name)
      return NpyType{dtype_bits(known.dtype) / 8, NpyText::kNone, known.dtype,
                     interpret(known.dtype, expected)};
  }
  return unsupported(descr, "no element type here has it");
}

std::string_view npy_descr(DType type) {
  switch (type) {
    case DType::kBool:
      return "|b1";
    case DType::kInt4:
    case DType::kInt8:
      return "|i1";
    case DType::kUint1:
    case DType::kUint4:
    case DType::kNF4:
    case DType::kFloat4E2M1:
    case DType::kUint8:
      return "|u1";
    case DType::kInt16:
      return "<i2";
    case DType::kInt32:
      return "<i4";
    case DType::kInt64:
      return "<i8";
    case DType::kUint16:
      return "<u2";
    case DType::kUint32:
      return "<u4";
    case DType::kUint64:
      return "<u8";
    case DType::kFloat16:
      return "<f2";
    case DType::kBFloat16:
      return "<V2";
    case DType::kFloat32:
      return "<f4";
    case DType::kFloat64:
      return "<f8";
    case DType::kComplex64:
      return "<c8";
    case DType::kComplex128:
      return "<c16";
    default:
      return "<V1";
  }
}

}  // namespace windrow::internal
