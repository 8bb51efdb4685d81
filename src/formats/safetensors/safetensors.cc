#include "src/formats/safetensors/safetensors.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/integers.h"
#include "src/formats/archive.h"
#include "src/formats/npy/npy.h"
#include "src/formats/text_parser.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

// The limit of the format's own library.
constexpr std::int64_t kLongestHeader = 100'000'000;
constexpr std::int64_t kLengthBytes = 8;
constexpr std::size_t kHeaderAlignment = 8;

class SafeTensorsReader final : public ArchiveReader {
 public:
  SafeTensorsReader(std::shared_ptr<const ByteSource> source, std::vector<SafeTensor> tensors,
                    std::int64_t data)
      : source_(std::move(source)), tensors_(std::move(tensors)), data_(data) {
    for (const SafeTensor& tensor : tensors_) names_.push_back(tensor.name);
  }

  // The file names the types, so the expected type is not needed.
  Result<Tensor> load(std::size_t position, DType expected) const override {
    const Result<TensorPlace> found = place(position, expected);
    if (!found) return found.error();
    Result<Tensor> tensor = Tensor::allocate(found->dtype, found->shape);
    if (!tensor) return tensor;
    const Status status = source_->read(found->first_byte, tensor->data(), tensor->byte_count());
    if (!status) return status;
    return tensor;
  }

  Result<TensorPlace> place(std::size_t position, DType /*expected*/) const override {
    const SafeTensor& entry = tensors_[position];
    const DType type = safetensors_type(entry.dtype);
    if (type == DType::kAbsent)
      return unsupported_error("tensor '", entry.name, "' has the type '", entry.dtype,
                               "', which the library does not have");
    const auto count = element_count(entry.shape);
    const auto bytes = count ? checked_mul(*count, dtype_bits(type) / 8) : std::nullopt;
    if (bytes != entry.end - entry.begin)
      return format_error("tensor '", entry.name, "', ", to_string(entry.shape), " of type '",
                          entry.dtype, "', does not have the size of its ", entry.end - entry.begin,
                          " bytes");
    return TensorPlace{{}, entry.name, type, entry.shape, data_ + entry.begin};
  }

 private:
  std::shared_ptr<const ByteSource> source_;
  std::vector<SafeTensor> tensors_;
  std::int64_t data_;  // where the bytes of tensors begin
};

// Every byte belongs to one tensor, so that no other file hides in this one.
Status check_places(const std::vector<SafeTensor>& tensors, std::int64_t size) {
  std::vector<const SafeTensor*> in_place;
  for (const SafeTensor& tensor : tensors) in_place.push_back(&tensor);
  std::sort(in_place.begin(), in_place.end(), [](const SafeTensor* a, const SafeTensor* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  std::int64_t at = 0;
  for (const SafeTensor* const tensor : in_place) {
    if (tensor->begin != at || tensor->end < at || tensor->end > size)
      return format_error("tensor '", tensor->name, "' has the bytes ", tensor->begin, " to ",
                          tensor->end, ", expected them from ", at, " on and within ", size);
    at = tensor->end;
  }
  if (at == size) return {};
  return format_error("the file has ", size - at, " bytes that belong to no tensor");
}

// A JSON string. Names are UTF-8, so that only quotes, backslashes and control characters are
// escaped.
std::string quoted_json(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) {
      json += c;
    } else {
      json += "\\u00";
      json += kDigits[c >> 4];
      json += kDigits[c & 15];
    }
  }
  return json + '"';
}

Status check_storable(const std::string& name, const Tensor& tensor) {
  if (safetensors_name(tensor.dtype()).empty())
    return unsupported_error("tensor '", name, "' is of type ", dtype_name(tensor.dtype()),
                             ", which .safetensors can't hold; .npz can");
  if (!is_utf8(name) || name == "__metadata__")
    return unsupported_error("the name '", name, "' is one that .safetensors can't hold");
  return {};
}

}  // namespace

Archive open_safetensors(std::shared_ptr<const ByteSource> source) {
  if (source->size() == 0) return format_error("the file is empty");
  unsigned char length[kLengthBytes] = {};
  if (Status status = source->read(0, length, kLengthBytes); !status) return status;
  const std::uint64_t header_bytes = little_endian(length, kLengthBytes);
  if (header_bytes > static_cast<std::uint64_t>(kLongestHeader))
    return format_error("not a .safetensors file (a header of ", header_bytes, " bytes)");
  const std::int64_t data = kLengthBytes + static_cast<std::int64_t>(header_bytes);
  if (data > source->size())
    return format_error("not a .safetensors file, or cut within its header");
  const Result<std::string> json = source->read_bytes(kLengthBytes, data - kLengthBytes);
  if (!json) return json.error();
  Result<std::vector<SafeTensor>> tensors = parse_safetensors_header(*json);
  if (!tensors) return tensors.error();
  if (Status status = check_places(*tensors, source->size() - data); !status) return status;
  return std::unique_ptr<ArchiveReader>(
      std::make_unique<SafeTensorsReader>(std::move(source), *std::move(tensors), data));
}

Status write_safetensors(const NamedTensors& tensors, AsideFile& file) {
  if (Status status = check_names_differ(tensors); !status) return status;
  std::vector<const std::pair<std::string, Tensor>*> order;
  for (const auto& named : tensors) {
    if (Status status = check_storable(named.first, named.second); !status) return status;
    order.push_back(&named);
  }
  // Tensors of the widest elements come first, so that each begins at a multiple of its element's
  // size.
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return dtype_bits(a->second.dtype()) > dtype_bits(b->second.dtype());
  });
  std::string json = "{";
  std::int64_t at = 0;
  for (const auto* const named : order) {
    const auto& [name, tensor] = *named;
    json += (json.size() == 1 ? "" : ",") + quoted_json(name) + R"(:{"dtype":")" +
            std::string(safetensors_name(tensor.dtype())) + R"(","shape":[)" +
            joined(tensor.shape(), ",") + R"(],"data_offsets":[)" + std::to_string(at) + ",";
    at += tensor.byte_count();
    json += std::to_string(at) + "]}";
  }
  json += '}';
  json.append((kHeaderAlignment - json.size() % kHeaderAlignment) % kHeaderAlignment, ' ');
  std::string start;
  append_little_endian(json.size(), kLengthBytes, start);
  if (Status status = file.write(start + json); !status) return status;
  for (const auto* const named : order)
    if (Status status = file.write(named->second.data(), named->second.byte_count()); !status)
      return status;
  return {};
}

namespace {

struct SafeTensorType {
  std::string_view name;
  DType dtype;
};

// The 4-bit and 6-bit types of the format are packed, and are not read. A type that it does not
// have has an empty name here.
constexpr SafeTensorType kSafeTensorTypes[] = {
#define WINDROW_DTYPE(enumerator, name, bits, kind, c_name, onnx, openvino, precision, \
                      safetensors, ...)                                                \
  {safetensors, DType::enumerator},
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
};

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
  for (const SafeTensorType& type : kSafeTensorTypes)
    if (type.name == name && !name.empty()) return type.dtype;
  return DType::kAbsent;
}

std::string_view safetensors_name(DType dtype) noexcept {
  for (const SafeTensorType& type : kSafeTensorTypes)
    if (type.dtype == dtype) return type.name;
  return {};
}

}  // namespace windrow::internal
