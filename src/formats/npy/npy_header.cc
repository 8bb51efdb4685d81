#include "src/formats/npy/npy_header.h"

#include <cstddef>
#include <optional>

#include "src/formats/archive.h"
#include "src/formats/text_parser.h"
#include "src/models/text.h"

namespace windrow::internal {
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

}  // namespace windrow::internal
