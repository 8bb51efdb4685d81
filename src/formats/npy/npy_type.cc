#include "src/formats/npy/npy_type.h"

#include <optional>

#include "src/formats/text_parser.h"
#include "src/models/find_in.h"
#include "src/models/text.h"

namespace windrow::internal {
namespace {

// The longest text element, in characters. Anything beyond is longer than any file.
constexpr std::int64_t kMaxLength = std::int64_t{1} << 40;

struct NamedType {
  std::string_view name;  // descr without its byte order
  DType dtype;
};

// "f1" is the name that ml_dtypes gives to float8_e5m2.
constexpr NamedType kNamedTypes[] = {
    {"b1", DType::kBool},       {"i1", DType::kInt8},      {"i2", DType::kInt16},
    {"i4", DType::kInt32},      {"i8", DType::kInt64},     {"u1", DType::kUint8},
    {"u2", DType::kUint16},     {"u4", DType::kUint32},    {"u8", DType::kUint64},
    {"f1", DType::kFloat8E5M2}, {"f2", DType::kFloat16},   {"f4", DType::kFloat32},
    {"f8", DType::kFloat64},    {"c8", DType::kComplex64}, {"c16", DType::kComplex128}};

bool is_small_float(DType type) {
  return dtype_kind(type) == DTypeKind::kFloat && dtype_bits(type) == 8;
}

Status unsupported(std::string_view descr, std::string_view why) {
  return unsupported_error(".npy type '", descr, "' is not supported: ", why);
}

Result<NpyType> parse_text(std::string_view descr, std::string_view digits) {
  const std::optional<std::int64_t> length = parse_number(digits);
  if (!length || *length < 0 || *length > kMaxLength)
    return format_error("bad .npy type '", descr, "'");
  const bool bytes = descr[1] == 'S';
  return NpyType{bytes ? *length : 4 * *length, bytes ? NpyText::kBytes : NpyText::kUtf32,
                 DType::kString, DType::kString};
}

// The type of stored numbers when the caller expects `expected`.
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
  if (descr.size() < 2) return format_error("bad .npy type '", descr, "'");
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
  const NamedType* const known =
      find_where(kNamedTypes, [name](const NamedType& row) { return row.name == name; });
  if (known == nullptr) return unsupported(descr, "the library has no such element type");
  return NpyType{dtype_bits(known->dtype) / 8, NpyText::kNone, known->dtype,
                 interpret(known->dtype, expected)};
}

std::string npy_descr(DType type) {
  if (is_packed(type)) return dtype_kind(type) == DTypeKind::kSigned ? "|i1" : "|u1";
  const bool is_byte = dtype_bits(type) == 8;
  const NamedType* const known =
      find_where(kNamedTypes, [type](const NamedType& row) { return row.dtype == type; });
  if (known == nullptr || is_small_float(type)) return is_byte ? "<V1" : "<V2";
  return (is_byte ? '|' : '<') + std::string(known->name);
}

}  // namespace windrow::internal
