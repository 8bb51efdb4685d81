#include "src/formats/npy/npy.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/base/element.h"
#include "src/base/integers.h"
#include "src/base/text.h"
#include "src/formats/archive.h"
#include "src/formats/text_parser.h"
#include "src/models/check_inputs.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

// Checks that the elements are exactly the rest of the file, before anything is allocated for them.
Status check_size(const NpyHeader& header, const NpyType& type, std::int64_t file_bytes) {
  const auto count = element_count(header.shape);
  const auto bytes = count ? checked_mul(*count, type.item_bytes) : std::nullopt;
  const std::int64_t found = file_bytes - header.data_offset;
  const std::string what = to_string(header.shape) + " of type '" + header.descr + "'";
  if (!bytes) return format_error(what, " is too large");
  if (*bytes != found)
    return format_error(what, " needs ", *bytes, " bytes, the file has ", found,
                        " after its header");
  // Otherwise a small file could ask for any number of empty strings.
  if (type.item_bytes == 0 && *count > 0) return format_error(what, " has elements of zero bytes");
  return {};
}

// The type of the elements, which are exactly the rest of the file.
Result<NpyType> checked_type(const NpyHeader& header, const ByteSource& source, DType expected) {
  Result<NpyType> type = parse_npy_type(header.descr, expected);
  if (!type) return type;
  if (Status status = check_size(header, *type, source.size()); !status) return status;
  return type;
}

// Decodes one text element without the zeros that pad it. Returns false if it holds a number that
// is not a Unicode character.
bool decode_text(const char* item, const NpyType& type, std::string& text) {
  std::int64_t length = type.item_bytes;
  if (type.text == NpyText::kBytes) {
    while (length > 0 && item[length - 1] == '\0') --length;
    text.assign(item, static_cast<std::size_t>(length));
    return true;
  }
  const auto code_point = [item](std::int64_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, item + at, sizeof(value));
    return value;
  };
  while (length > 0 && code_point(length - 4) == 0) length -= 4;
  for (std::int64_t at = 0; at < length; at += 4) {
    if (!append_utf8(code_point(at), text)) return false;
  }
  return true;
}

Status read_texts(const ByteSource& source, const NpyHeader& header, const NpyType& type,
                  Tensor& tensor) {
  if (tensor.element_count() == 0) return {};
  auto* const texts = static_cast<std::string*>(tensor.data());
  const std::int64_t count = tensor.element_count();
  const std::int64_t block = std::clamp<std::int64_t>((1 << 16) / type.item_bytes, 1, count);
  std::vector<char> buffer(static_cast<std::size_t>(block * type.item_bytes));
  for (std::int64_t first = 0; first < count; first += block) {
    const std::int64_t items = std::min(block, count - first);
    Status status = source.read(header.data_offset + first * type.item_bytes, buffer.data(),
                                items * type.item_bytes);
    if (!status) return status;
    for (std::int64_t i = 0; i < items; ++i) {
      if (!decode_text(buffer.data() + i * type.item_bytes, type, texts[first + i]))
        return format_error("string ", first + i, " in the file is not valid Unicode");
    }
  }
  return {};
}

// Whether row-major and column-major order are the same order of the elements.
bool is_in_both_orders(const Shape& shape) {
  return element_count(shape) == 0 ||
         std::count_if(shape.begin(), shape.end(), [](std::int64_t extent) { return extent > 1; }) <
             2;
}

// A copy of the tensor with its elements in row-major instead of column-major order.
Result<Tensor> to_row_major(const Tensor& columns) {
  Strides strides = Strides::filled(columns.shape().rank(), 0);
  std::int64_t step = dtype_bits(columns.dtype()) / 8;
  for (int axis = 0; axis < strides.rank(); ++axis) {
    strides[axis] = step;
    step *= columns.shape()[axis];
  }
  return Tensor::copy_of({columns.dtype(), columns.shape(), strides, columns.data()});
}

// Packs elements that take one byte each. A byte is a code below 2^bits or, for int4, a negative
// int8.
Result<Tensor> pack(const Tensor& bytes, DType type) {
  Result<Tensor> packed = Tensor::zeros(type, bytes.shape());
  if (!packed) return packed;
  const auto* const codes = static_cast<const std::uint8_t*>(bytes.data());
  for (std::int64_t i = 0; i < bytes.element_count(); ++i) {
    const bool negative = type == DType::kInt4 && codes[i] >= 0xf8;
    if (codes[i] >= (1 << dtype_bits(type)) && !negative)
      return format_error("element ", i, " is the byte ", codes[i], ", which is not a value of ",
                          dtype_name(type));
    set_packed(type, packed->data(), i, codes[i]);
  }
  return packed;
}

// The same bits under another type of the same width.
Tensor retype(Tensor tensor, DType type) {
  auto owner = std::make_shared<Tensor>(std::move(tensor));
  return Tensor::adopt(type, owner->shape(), owner->data(), owner);
}

}  // namespace

Result<Tensor> read_npy(const ByteSource& source, DType expected) {
  const Result<NpyHeader> header = read_npy_header(source);
  if (!header) return header.error();
  const Result<NpyType> type = checked_type(*header, source, expected);
  if (!type) return type.error();

  Result<Tensor> tensor = Tensor::allocate(type->stored, header->shape);
  if (!tensor) return tensor;
  const Status status =
      type->stored == DType::kString
          ? read_texts(source, *header, *type, *tensor)
          : source.read(header->data_offset, tensor->data(), tensor->byte_count());
  if (!status) return status;
  if (header->fortran_order && tensor->element_count() > 0) tensor = to_row_major(*tensor);
  if (!tensor || type->result == type->stored) return tensor;
  if (is_packed(type->result)) return pack(*tensor, type->result);
  return retype(*std::move(tensor), type->result);
}

Result<TensorPlace> place_npy(const ByteSource& source, DType expected) {
  const Result<NpyHeader> header = read_npy_header(source);
  if (!header) return header.error();
  const Result<NpyType> type = checked_type(*header, source, expected);
  if (!type) return type.error();
  if (header->fortran_order && !is_in_both_orders(header->shape))
    return unsupported_error(
        "the elements are in Fortran order, expected row-major order, as np.ascontiguousarray "
        "gives it");
  if (is_packed(type->result))
    return unsupported_error("elements of ", type->result,
                             " take a byte each in .npy, expected them packed");
  TensorPlace place = {{}, {}, type->result, header->shape, header->data_offset};
  if (Status status = check_place(place, source.size()); !status) return status;
  return place;
}

namespace {

using CodePoints = std::vector<std::uint32_t>;

constexpr std::int64_t kPackedBlock = 1 << 16;

// Writes one byte per value, with the sign of int4 extended.
Status write_packed(const TensorView& tensor, std::int64_t count, ByteSink& file) {
  std::vector<std::uint8_t> block;
  for (std::int64_t first = 0; first < count; first += kPackedBlock) {
    block.clear();
    for (std::int64_t i = first; i < std::min(count, first + kPackedBlock); ++i) {
      const std::uint8_t code = get_packed(tensor.dtype, tensor.data, i);
      const bool negative = tensor.dtype == DType::kInt4 && (code & 8) != 0;
      block.push_back(static_cast<std::uint8_t>(negative ? code | 0xf0 : code));
    }
    if (Status status = file.write(block.data(), static_cast<std::int64_t>(block.size())); !status)
      return status;
  }
  return {};
}

// The characters of element `position`. A string that .npy cannot hold is an error: .npy pads
// strings with zeros, which readers drop again.
Result<CodePoints> storable(const std::string& text, std::int64_t position) {
  std::optional<CodePoints> code_points = decode_utf8(text);
  if (!code_points)
    return unsupported_error("string ", position, " is not UTF-8, which .npy can't hold; .pb can");
  if (!code_points->empty() && code_points->back() == 0)
    return unsupported_error("string ", position,
                             " ends with a zero character, which .npy can't hold; .pb can");
  return *std::move(code_points);
}

Status write_texts(const TensorView& tensor, std::int64_t count, ByteSink& file) {
  const auto* const texts = static_cast<const std::string*>(tensor.data);
  std::size_t longest = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    const Result<CodePoints> code_points = storable(texts[i], i);
    if (!code_points) return code_points.error();
    longest = std::max(longest, code_points->size());
  }
  Status status = file.write(make_npy_header("<U" + std::to_string(longest), tensor.shape));
  for (std::int64_t i = 0; i < count && status; ++i) {
    Result<CodePoints> code_points = storable(texts[i], i);
    if (!code_points) return code_points.error();
    code_points->resize(longest);
    status = file.write(code_points->data(), static_cast<std::int64_t>(4 * longest));
  }
  return status;
}

}  // namespace

Status write_npy(const TensorView& tensor, ByteSink& file) {
  if (!tensor.is_dense()) {
    const Result<Tensor> dense = Tensor::copy_of(tensor);
    return dense ? write_npy(dense->view(), file) : dense.error();
  }
  const std::int64_t count = element_count(tensor.shape).value_or(0);
  if (tensor.dtype == DType::kString) return write_texts(tensor, count, file);
  Status status = file.write(make_npy_header(npy_descr(tensor.dtype), tensor.shape));
  if (!status) return status;
  if (is_packed(tensor.dtype)) return write_packed(tensor, count, file);
  return file.write(tensor.data, count * (dtype_bits(tensor.dtype) / 8));
}

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

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr auto kMagicSize = static_cast<std::int64_t>(kMagic.size());
// Magic, version and length of a version 1 header.
constexpr std::size_t kStart = kMagic.size() + 4;
// NumPy lets the elements begin at a multiple of this.
constexpr std::size_t kAlignment = 64;
// Only the names of a structured type could make a header longer.
constexpr std::int64_t kMaxHeader = 1 << 16;

Status header_error(const std::string& what) { return format_error("bad .npy header: ", what); }

// Reads the one Python literal that a header is: a dict with the keys descr, fortran_order and
// shape.
class HeaderParser : private TextParser {
 public:
  explicit HeaderParser(std::string_view text) : TextParser(text) {}

  Result<NpyHeader> parse() {
    if (!take('{')) return header_error("no dict");
    while (!take('}')) {
      if (Status status = parse_entry(); !status) return status;
      if (take(',')) continue;
      if (!take('}')) return header_error("',' or '}' expected");
      break;
    }
    if (!is_at_end()) return header_error("text after the dict");
    if (!descr_ || !fortran_order_ || !shape_)
      return header_error("'descr', 'fortran_order' and 'shape' are not all present");
    return NpyHeader{*descr_, *fortran_order_, *shape_, 0};
  }

 private:
  std::optional<std::string> parse_string() {
    skip_blanks();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return std::nullopt;
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }

  Status parse_entry() {
    const std::optional<std::string> key = parse_string();
    if (!key || !take(':')) return header_error("a quoted key and ':' expected");
    if (*key == "descr" && !descr_) return parse_descr();
    if (*key == "fortran_order" && !fortran_order_) return parse_order();
    if (*key == "shape" && !shape_) return parse_shape();
    return header_error("key '" + *key + "' is unknown or appears twice");
  }

  Status parse_descr() {
    if (take('[')) return unsupported_error("structured .npy types are not supported");
    descr_ = parse_string();
    return descr_ ? Status() : header_error("'descr' is not a string");
  }

  Status parse_order() {
    if (take("True")) {
      fortran_order_ = true;
    } else if (take("False")) {
      fortran_order_ = false;
    } else {
      return header_error("'fortran_order' is not True or False");
    }
    return {};
  }

  Status parse_shape() {
    if (!take('(')) return header_error("'shape' is not a tuple");
    Shape shape;
    while (!take(')')) {
      const std::optional<std::int64_t> extent = take_size();
      if (!extent) return header_error("'shape' must hold nothing but sizes");
      if (!shape.push_back(*extent)) return shape_error("the rank is above ", kMaxRank);
      if (take(',')) continue;
      if (shape.rank() < 2 || !take(')')) return header_error("'shape' is not a tuple");
      break;
    }
    shape_ = shape;
    return {};
  }

  std::optional<std::string> descr_;
  std::optional<bool> fortran_order_;
  std::optional<Shape> shape_;
};

}  // namespace

Result<NpyHeader> read_npy_header(const ByteSource& source) {
  if (source.size() == 0) return format_error("the file is empty");
  const Result<std::string> start = source.read_bytes(0, kMagicSize + 2);
  if (!start) return start.error();
  if (!start->starts_with(kMagic)) return format_error("not a .npy file (wrong magic)");
  const int version = static_cast<unsigned char>((*start)[kMagic.size()]);
  if (version < 1 || version > 3 || start->back() != 0)
    return unsupported_error("this version of the .npy format is not supported");

  const std::int64_t length_bytes = version == 1 ? 2 : 4;
  const Result<std::string> length = source.read_bytes(kMagicSize + 2, length_bytes);
  if (!length) return length.error();
  const auto header_bytes =
      static_cast<std::int64_t>(little_endian(length->data(), length->size()));
  if (header_bytes > kMaxHeader)
    return header_error("a length of " + std::to_string(header_bytes) + " bytes");

  const std::int64_t text_offset = kMagicSize + 2 + length_bytes;
  const Result<std::string> text = source.read_bytes(text_offset, header_bytes);
  if (!text) return text.error();
  Result<NpyHeader> header = HeaderParser(*text).parse();
  if (header) header->data_offset = text_offset + header_bytes;
  return header;
}

std::string make_npy_header(std::string_view descr, const Shape& shape) {
  std::string dict = text_of({"{'descr': '", descr, "', 'fortran_order': False, 'shape': (",
                              joined(shape, ", "), shape.rank() == 1 ? "," : "", "), }"});
  dict.append(kAlignment - 1 - (kStart + dict.size()) % kAlignment, ' ');
  dict += '\n';

  std::string header(kMagic);
  append_little_endian(1, 2, header);  // the version
  append_little_endian(dict.size(), 2, header);
  return header + dict;
}

bool append_utf8(std::uint32_t code_point, std::string& text) {
  if (!is_code_point(code_point)) return false;
  const int size = static_cast<int>(encoded_size(code_point));
  if (size == 1) {
    text += static_cast<char>(code_point);
    return true;
  }
  const std::uint32_t lead = 0xf00U >> size & 0xffU;  // as many ones as there are bytes
  text += static_cast<char>(lead | code_point >> 6 * (size - 1));
  for (int i = size - 2; i >= 0; --i)
    text += static_cast<char>(0x80U | (code_point >> 6 * i & 0x3fU));
  return true;
}

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::optional<std::uint32_t> code_point = first_code_point(text);
    if (!code_point) return false;
    text.remove_prefix(encoded_size(*code_point));
  }
  return true;
}

std::optional<std::vector<std::uint32_t>> decode_utf8(std::string_view text) {
  std::vector<std::uint32_t> code_points;
  while (!text.empty()) {
    const std::optional<std::uint32_t> value = first_code_point(text);
    if (!value) return std::nullopt;
    code_points.push_back(*value);
    text.remove_prefix(encoded_size(*value));
  }
  return code_points;
}

}  // namespace windrow::internal
