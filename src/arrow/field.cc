#include "src/arrow/field.h"

#include <charconv>
#include <cstring>
#include <limits>
#include <utility>

#include "windrow/printable.h"

namespace windrow::arrow {
namespace {

// A schema's children may point to one another; these limits end every walk.
constexpr int kMostDepth = 64;
constexpr std::int64_t kMostFields = std::int64_t{1} << 20;

struct Named {
  std::string_view format;
  Format type;
};

Format fixed(std::int64_t width, DType integer = DType::kAbsent) {
  return {Layout::kFixed, width, 0, integer};
}

std::optional<std::int64_t> parse_count(std::string_view digits) noexcept {
  std::int64_t number = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, number);
  if (error != std::errc() || stop != end || number < 0 ||
      number > std::numeric_limits<std::int32_t>::max())
    return std::nullopt;
  return number;
}

// The formats of one letter.
std::optional<Format> parse_letter(char letter) noexcept {
  switch (letter) {
    case 'n':
      return Format{Layout::kNull};
    case 'b':
      return Format{Layout::kBits};
    case 'c':
      return fixed(1, DType::kInt8);
    case 'C':
      return fixed(1, DType::kUint8);
    case 's':
      return fixed(2, DType::kInt16);
    case 'S':
      return fixed(2, DType::kUint16);
    case 'i':
      return fixed(4, DType::kInt32);
    case 'I':
      return fixed(4, DType::kUint32);
    case 'l':
      return fixed(8, DType::kInt64);
    case 'L':
      return fixed(8, DType::kUint64);
    case 'e':
      return fixed(2);
    case 'f':
      return fixed(4);
    case 'g':
      return fixed(8);
    case 'z':
    case 'u':
      return Format{Layout::kText};
    case 'Z':
    case 'U':
      return Format{Layout::kLargeText};
    default:
      return std::nullopt;
  }
}

// "d:PRECISION,SCALE" or "d:PRECISION,SCALE,BITS".
std::optional<Format> parse_decimal(std::string_view format) noexcept {
  const std::size_t first = format.find(',');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = format.find(',', first + 1);
  if (second == std::string_view::npos) return fixed(16);
  const auto bits = parse_count(format.substr(second + 1));
  if (!bits || (*bits != 32 && *bits != 64 && *bits != 128 && *bits != 256)) return std::nullopt;
  return fixed(*bits / 8);
}

// Dates, times, timestamps, durations and intervals.
std::optional<Format> parse_temporal(std::string_view format) noexcept {
  constexpr std::pair<std::string_view, int> kWidths[] = {
      {"tdD", 4}, {"tdm", 8}, {"tts", 4}, {"ttm", 4}, {"ttu", 8}, {"ttn", 8}, {"tDs", 8},
      {"tDm", 8}, {"tDu", 8}, {"tDn", 8}, {"tiM", 4}, {"tiD", 8}, {"tin", 16}};
  for (const auto& [name, width] : kWidths)
    if (format == name) return fixed(width);
  const bool is_timestamp = format.size() >= 4 && format.starts_with("ts") && format[3] == ':' &&
                            std::strchr("smun", format[2]) != nullptr;
  if (is_timestamp) return fixed(8);
  return std::nullopt;
}

// The bytes of a schema's metadata. Nothing if a length in it is negative or too large.
std::optional<std::string> read_metadata(const char* metadata) {
  if (metadata == nullptr) return std::string();
  std::size_t at = 0;
  const auto number = [&]() -> std::int64_t {
    std::int32_t value = 0;
    std::memcpy(&value, metadata + at, sizeof value);
    at += sizeof value;
    return value;
  };
  const std::int64_t pairs = number();
  if (pairs < 0) return std::nullopt;
  for (std::int64_t i = 0; i < 2 * pairs; ++i) {
    const std::int64_t bytes = number();
    if (bytes < 0) return std::nullopt;
    at += static_cast<std::size_t>(bytes);
  }
  return std::string(metadata, at);
}

Status unsupported(const Place& place, const std::string& type) {
  return {ErrorCode::kUnsupported,
          place.text() + " has the type " + type +
              ", which has no rows of fixed width and is no text; supported: booleans, numbers, "
              "decimals, dates and times, fixed-size binary and lists, strings, binary, structs"};
}

Result<Field> read(const ArrowSchema& schema, const Place& place, int depth, std::int64_t& fields);

Status read_children(const ArrowSchema& schema, const Place& place, int depth, std::int64_t& fields,
                     Field& field) {
  const bool nested = field.type.layout == Layout::kList || field.type.layout == Layout::kStruct;
  if (schema.n_children < 0 || (!nested && schema.n_children > 0) ||
      (field.type.layout == Layout::kList && schema.n_children != 1))
    return contradiction(place, "the schema of format '" + printable(field.format) + "' has " +
                                    std::to_string(schema.n_children) + " children");
  if (schema.n_children > 0 && schema.children == nullptr)
    return contradiction(place, "the schema's children are a null pointer");
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema* const child = schema.children[i];
    if (child == nullptr || child->release == nullptr)
      return contradiction(place, "child " + std::to_string(i) + " of the schema is " +
                                      (child == nullptr ? "a null pointer" : "released"));
    Result<Field> read_child =
        read(*child, place.child(child->name == nullptr ? "" : child->name), depth + 1, fields);
    if (!read_child) return read_child.error();
    field.children.push_back(*std::move(read_child));
  }
  return {};
}

Result<Field> read(const ArrowSchema& schema, const Place& place, int depth, std::int64_t& fields) {
  if (depth > kMostDepth || ++fields > kMostFields)
    return contradiction(place, "the schema is nested more than " + std::to_string(kMostDepth) +
                                    " deep or has more than " + std::to_string(kMostFields) +
                                    " fields");
  if (schema.format == nullptr)
    return contradiction(place, "the schema's format is a null pointer");
  Field field;
  field.format = schema.format;
  if (schema.name != nullptr) field.name = schema.name;
  field.flags = schema.flags;
  if (schema.dictionary != nullptr) return unsupported(place, "dictionary");
  const std::optional<Format> type = parse_format(field.format);
  if (!type) return unsupported(place, unsupported_type_name(field.format));
  field.type = *type;
  std::optional<std::string> metadata = read_metadata(schema.metadata);
  if (!metadata) return contradiction(place, "the schema's metadata have a negative length");
  field.metadata = *std::move(metadata);
  if (Status status = read_children(schema, place, depth, fields, field); !status) return status;
  return field;
}

}  // namespace

std::optional<Format> parse_format(std::string_view format) noexcept {
  if (format.size() == 1) return parse_letter(format[0]);
  if (format == "vu" || format == "vz") return Format{Layout::kViews, 16};
  if (format == "+s") return Format{Layout::kStruct};
  if (format.starts_with("d:")) return parse_decimal(format);
  if (format.starts_with("t")) return parse_temporal(format);
  if (format.starts_with("w:")) {
    const auto width = parse_count(format.substr(2));
    if (width) return fixed(*width);
  }
  if (format.starts_with("+w:")) {
    const auto size = parse_count(format.substr(3));
    if (size) return Format{Layout::kList, 0, *size};
  }
  return std::nullopt;
}

std::string unsupported_type_name(std::string_view format) {
  constexpr std::pair<std::string_view, std::string_view> kNames[] = {
      {"+l", "list"}, {"+L", "large_list"},     {"+vl", "list_view"}, {"+vL", "large_list_view"},
      {"+m", "map"},  {"+r", "run_end_encoded"}};
  for (const auto& [known, name] : kNames)
    if (format == known) return std::string(name);
  if (format.starts_with("+ud:") || format.starts_with("+us:")) return "union";
  return "of format '" + std::string(format) + "'";
}

bool same_type(const Field& a, const Field& b) noexcept {
  if (a.format != b.format || a.children.size() != b.children.size()) return false;
  for (std::size_t i = 0; i < a.children.size(); ++i)
    if (!same_type(a.children[i], b.children[i])) return false;
  return true;
}

Place Place::child(const std::string& name) const {
  return {role, path.empty() ? name : path + "." + name, false};
}

std::string Place::text() const { return path.empty() ? role : "column '" + path + "' of " + role; }

Status contradiction(const Place& place, const std::string& rule) {
  return {ErrorCode::kInvalidArgument, place.text() + ": " + rule};
}

bool is_table_schema(const ArrowSchema& schema) noexcept {
  return schema.format != nullptr && std::strcmp(schema.format, "+s") == 0 &&
         schema.dictionary == nullptr && (schema.flags & ARROW_FLAG_NULLABLE) == 0;
}

Result<Field> read_field(const ArrowSchema& schema, const Place& place) {
  if (schema.release == nullptr) return contradiction(place, "the schema has been released");
  std::int64_t fields = 0;
  return read(schema, place, 0, fields);
}

}  // namespace windrow::arrow
