#include "src/formats/safetensors/safetensors_header.h"

#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "src/formats/npy/utf8.h"
#include "src/formats/text_parser.h"
#include "src/models/text.h"

namespace windrow::internal {
namespace {

struct NamedType {
  std::string_view name;
  DType dtype;
};

// The 4-bit and 6-bit types of the format are packed, and are not read.
constexpr NamedType kTypes[] = {{"BOOL", DType::kBool},
                                {"U8", DType::kUint8},
                                {"I8", DType::kInt8},
                                {"F8_E5M2", DType::kFloat8E5M2},
                                {"F8_E4M3", DType::kFloat8E4M3FN},
                                {"F8_E8M0", DType::kFloat8E8M0},
                                {"F8_E4M3FNUZ", DType::kFloat8E4M3FNUZ},
                                {"F8_E5M2FNUZ", DType::kFloat8E5M2FNUZ},
                                {"I16", DType::kInt16},
                                {"U16", DType::kUint16},
                                {"F16", DType::kFloat16},
                                {"BF16", DType::kBFloat16},
                                {"I32", DType::kInt32},
                                {"U32", DType::kUint32},
                                {"F32", DType::kFloat32},
                                {"C64", DType::kComplex64},
                                {"F64", DType::kFloat64},
                                {"I64", DType::kInt64},
                                {"U64", DType::kUint64}};

// Reads the JSON of a header: an object whose members are objects of three known members. Nesting
// is as deep as the functions here, whatever the text is.
class Parser : private TextParser {
 public:
  explicit Parser(std::string_view text) : TextParser(text) {}

  Result<std::vector<SafeTensor>> parse() {
    std::set<std::string> names;
    std::vector<SafeTensor> tensors;
    const Status status = parse_object([&](const std::string& name) -> Status {
      if (!names.insert(name).second) return error("'" + name + "' appears twice");
      if (name == "__metadata__") return parse_metadata();
      SafeTensor tensor;
      tensor.name = name;
      if (Status parsed = parse_tensor(tensor); !parsed)
        return parsed.with_context("tensor '" + name + "'");
      tensors.push_back(std::move(tensor));
      return {};
    });
    if (!status) return status;
    if (!is_at_end()) return error("text after the object");
    return tensors;
  }

 private:
  Status error(const std::string& what) const {
    return format_error("bad .safetensors header at byte ", at_, ": ", what);
  }

  // Calls `parse_value` with the name of each member, its value being next.
  template <class ParseValue>
  Status parse_object(ParseValue parse_value) {
    if (!take('{')) return error("'{' expected");
    if (take('}')) return {};
    do {
      std::string name;
      if (Status status = parse_string(name); !status) return status;
      if (!take(':')) return error("':' expected");
      if (Status status = parse_value(name); !status) return status;
    } while (take(','));
    return take('}') ? Status() : error("',' or '}' expected");
  }

  Status parse_metadata() {
    return parse_object([this](const std::string&) {
      std::string text;
      return parse_string(text);
    });
  }

  Status parse_tensor(SafeTensor& tensor) {
    bool has_type = false;
    bool has_shape = false;
    bool has_place = false;
    Status status = parse_object([&](const std::string& name) -> Status {
      if (name == "dtype" && !std::exchange(has_type, true)) return parse_string(tensor.dtype);
      if (name == "shape" && !std::exchange(has_shape, true)) return parse_shape(tensor.shape);
      if (name == "data_offsets" && !std::exchange(has_place, true)) return parse_place(tensor);
      return error("'" + name + "' is unknown or appears twice");
    });
    if (!status) return status;
    if (has_type && has_shape && has_place) return {};
    return error("'dtype', 'shape' and 'data_offsets' are not all present");
  }

  // Calls `add` with each number of an array.
  template <class Add>
  Status parse_numbers(Add add) {
    if (!take('[')) return error("'[' expected");
    if (take(']')) return {};
    do {
      const std::optional<std::int64_t> value = take_size();
      if (!value) return error("a whole number expected");
      if (Status status = add(*value); !status) return status;
    } while (take(','));
    return take(']') ? Status() : error("',' or ']' expected");
  }

  Status parse_shape(Shape& shape) {
    return parse_numbers([&shape](std::int64_t extent) -> Status {
      if (shape.push_back(extent)) return {};
      return shape_error("the rank is above ", kMaxRank);
    });
  }

  Status parse_place(SafeTensor& tensor) {
    int count = 0;
    Status status = parse_numbers([&](std::int64_t value) -> Status {
      if (count == 2) return error("'data_offsets' has more than two numbers");
      (count++ == 0 ? tensor.begin : tensor.end) = value;
      return {};
    });
    return !status || count == 2 ? status : error("'data_offsets' has fewer than two numbers");
  }

  Status parse_string(std::string& value) {
    if (!take('"')) return error("a string expected");
    while (at_ < text_.size() && text_[at_] != '"') {
      const char c = text_[at_++];
      if (static_cast<unsigned char>(c) < 0x20) return error("a control character in a string");
      if (c != '\\') {
        value += c;
      } else if (!parse_escape(value)) {
        return error("a bad escape in a string");
      }
    }
    return take('"') ? Status() : error("a string does not end");
  }

  bool parse_escape(std::string& value) {
    constexpr std::string_view kEscapes = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    if (at_ >= text_.size()) return false;
    const char c = text_[at_++];
    const std::size_t simple = kEscapes.find(c);
    if (simple != std::string_view::npos) {
      value += kMeant[simple];
      return true;
    }
    if (c != 'u') return false;
    std::optional<std::uint32_t> code = parse_code_unit();
    if (code && *code >> 10 == 0xd800 >> 10 && text_.substr(at_).starts_with("\\u")) {
      at_ += 2;
      const std::optional<std::uint32_t> low = parse_code_unit();
      if (!low || *low >> 10 != 0xdc00 >> 10) return false;
      code = 0x10000 + ((*code & 0x3ff) << 10) + (*low & 0x3ff);
    }
    return code && append_utf8(*code, value);
  }

  std::optional<std::uint32_t> parse_code_unit() {
    std::uint32_t value = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [end, failure] = std::from_chars(digits.begin(), digits.end(), value, 16);
    if (digits.size() < 4 || failure != std::errc() || end != digits.end()) return std::nullopt;
    at_ += 4;
    return value;
  }
};

}  // namespace

Result<std::vector<SafeTensor>> parse_safetensors_header(std::string_view json) {
  if (!is_utf8(json)) return format_error("bad .safetensors header: it is not UTF-8");
  return Parser(json).parse();
}

DType safetensors_type(std::string_view name) noexcept {
  for (const NamedType& type : kTypes)
    if (type.name == name) return type.dtype;
  return DType::kAbsent;
}

std::string_view safetensors_name(DType dtype) noexcept {
  for (const NamedType& type : kTypes)
    if (type.dtype == dtype) return type.name;
  return {};
}

}  // namespace windrow::internal
