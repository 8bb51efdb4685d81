#include "src/formats/npy/npy_header.h"

#include <charconv>
#include <cstddef>
#include <optional>

namespace windrow::internal {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr auto kMagicSize = static_cast<std::int64_t>(kMagic.size());
// Magic, version and length of a version 1 header.
constexpr std::size_t kStart = kMagic.size() + 4;
// Where NumPy lets the elements begin.
constexpr std::size_t kAlignment = 64;
// Only the names of a structured type could make a header longer.
constexpr std::int64_t kMaxHeader = 1 << 16;

Status format_error(const std::string& what) {
  return {ErrorCode::kFormat, "bad .npy header: " + what};
}

// Reads the one Python literal that a header is: a dict with the keys descr, fortran_order and
// shape.
class HeaderParser {
 public:
  explicit HeaderParser(std::string_view text) : text_(text) {}

  Result<NpyHeader> parse() {
    if (!take('{')) return format_error("no dict");
    while (!take('}')) {
      if (Status status = parse_entry(); !status) return status;
      if (take(',')) continue;
      if (!take('}')) return format_error("',' or '}' expected");
      break;
    }
    skip_spaces();
    if (at_ != text_.size()) return format_error("text after the dict");
    if (!descr_ || !fortran_order_ || !shape_)
      return format_error("'descr', 'fortran_order' and 'shape' are not all there");
    return NpyHeader{*descr_, *fortran_order_, *shape_, 0};
  }

 private:
  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }

  bool take(char wanted) { return take(std::string_view(&wanted, 1)); }

  bool take(std::string_view wanted) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(wanted)) return false;
    at_ += wanted.size();
    return true;
  }

  std::optional<std::string> parse_string() {
    skip_spaces();
    if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return std::nullopt;
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return std::nullopt;
    std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return value;
  }

  Status parse_entry() {
    const std::optional<std::string> key = parse_string();
    if (!key || !take(':')) return format_error("a quoted key and ':' expected");
    if (*key == "descr" && !descr_) return parse_descr();
    if (*key == "fortran_order" && !fortran_order_) return parse_order();
    if (*key == "shape" && !shape_) return parse_shape();
    return format_error("key '" + *key + "' is unknown or there twice");
  }

  Status parse_descr() {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] == '[')
      return {ErrorCode::kUnsupported, "structured .npy types are not supported"};
    descr_ = parse_string();
    return descr_ ? Status() : format_error("'descr' is not a string");
  }

  Status parse_order() {
    if (take("True")) {
      fortran_order_ = true;
    } else if (take("False")) {
      fortran_order_ = false;
    } else {
      return format_error("'fortran_order' is not True or False");
    }
    return {};
  }

  Status parse_shape() {
    if (!take('(')) return format_error("'shape' is not a tuple");
    Shape shape;
    while (!take(')')) {
      std::int64_t extent = 0;
      skip_spaces();
      const char* const begin = text_.data() + at_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), extent);
      if (error != std::errc() || extent < 0)
        return format_error("'shape' holds something else than sizes");
      at_ += static_cast<std::size_t>(end - begin);
      if (!shape.push_back(extent))
        return {ErrorCode::kShape, "the rank is above " + std::to_string(kMaxRank)};
      if (take(',')) continue;
      if (shape.rank() < 2 || !take(')')) return format_error("'shape' is not a tuple");
      break;
    }
    shape_ = shape;
    return {};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::optional<std::string> descr_;
  std::optional<bool> fortran_order_;
  std::optional<Shape> shape_;
};

}  // namespace

Result<NpyHeader> read_npy_header(const ByteSource& source) {
  if (source.size() == 0) return Status(ErrorCode::kFormat, "the file is empty");
  std::string start(kMagic.size() + 2, '\0');
  if (Status status = source.read(0, start.data(), kMagicSize + 2); !status) return status;
  if (!start.starts_with(kMagic))
    return Status(ErrorCode::kFormat, "not a .npy file (wrong magic)");
  const int version = static_cast<unsigned char>(start[kMagic.size()]);
  if (version < 1 || version > 3 || start.back() != 0)
    return Status(ErrorCode::kUnsupported, "this version of the .npy format is not supported");

  const std::int64_t length_bytes = version == 1 ? 2 : 4;
  unsigned char length[4] = {};
  if (Status status = source.read(kMagicSize + 2, length, length_bytes); !status) return status;
  std::int64_t header_bytes = 0;
  for (int i = 3; i >= 0; --i) header_bytes = header_bytes * 256 + length[i];
  if (header_bytes > kMaxHeader)
    return format_error("a length of " + std::to_string(header_bytes) + " bytes");

  std::string text(static_cast<std::size_t>(header_bytes), '\0');
  const std::int64_t text_offset = kMagicSize + 2 + length_bytes;
  if (Status status = source.read(text_offset, text.data(), header_bytes); !status) return status;
  Result<NpyHeader> header = HeaderParser(text).parse();
  if (header) header->data_offset = text_offset + header_bytes;
  return header;
}

std::string make_npy_header(std::string_view descr, const Shape& shape) {
  std::string dict = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (";
  for (int axis = 0; axis < shape.rank(); ++axis)
    dict += (axis == 0 ? "" : " ") + std::to_string(shape[axis]) + ",";
  if (shape.rank() > 1) dict.pop_back();
  dict += "), }";
  dict.append(kAlignment - 1 - (kStart + dict.size()) % kAlignment, ' ');
  dict += '\n';

  std::string header(kMagic);
  header +=
      {'\x01', '\0', static_cast<char>(dict.size() & 0xff), static_cast<char>(dict.size() >> 8)};
  return header + dict;
}

}  // namespace windrow::internal
