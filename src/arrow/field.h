#ifndef WINDROW_ARROW_FIELD_H_
#define WINDROW_ARROW_FIELD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/arrow.h"
#include "windrow/dtype.h"
#include "windrow/status.h"

namespace windrow::arrow {

// How the rows of a type lie in memory.
enum class Layout : std::uint8_t {
  kNull,       // no memory: every row is null
  kBits,       // booleans, eight to a byte, the first one in the lowest bit
  kFixed,      // Field::width bytes
  kText,       // 32-bit offsets into bytes
  kLargeText,  // 64-bit offsets
  kViews,      // 16 bytes: the text itself, or where it lies in one of several buffers
  kList,       // Field::list_size rows of the child
  kStruct,     // one row of each child
};

constexpr bool is_text(Layout layout) {
  return layout == Layout::kText || layout == Layout::kLargeText || layout == Layout::kViews;
}

// The layout that a format string names. Nothing for formats that are not supported.
struct Format {
  Layout layout = Layout::kNull;
  std::int64_t width = 0;          // kFixed
  std::int64_t list_size = 0;      // kList
  DType integer = DType::kAbsent;  // an integer type's; kAbsent for all others
};
std::optional<Format> parse_format(std::string_view format) noexcept;

// The name by which users know an unsupported type, "list"; the format itself if it is unknown.
std::string unsupported_type_name(std::string_view format);

// One column's type: a copy of an ArrowSchema.
struct Field {
  std::string name;
  std::string format;
  std::string metadata;  // as the C interface encodes it; empty: none
  std::int64_t flags = 0;
  Format type;
  std::vector<Field> children;
};

// Whether rows of both types may be moved between them: the same formats, in depth.
bool same_type(const Field& a, const Field& b) noexcept;

// Where something is wrong, for messages.
struct Place {
  std::string role;  // the input, "values"
  std::string path;  // the column, "a.b"; empty: the outermost column, if that has no name
  bool is_table = false;

  Place child(const std::string& name) const;
  // "column 'a.b' of values", "values" for the outermost column without a name.
  std::string text() const;
};

// The error for something that contradicts itself at a place: "column 'a' of values: RULE".
Status contradiction(const Place& place, const std::string& rule);

// Whether a schema is that of a table: a struct that is not nullable.
bool is_table_schema(const ArrowSchema& schema) noexcept;

// Reads a producer's schema. Errors: kInvalidArgument (contradictions), kUnsupported (types).
Result<Field> read_field(const ArrowSchema& schema, const Place& place);

}  // namespace windrow::arrow

#endif  // WINDROW_ARROW_FIELD_H_
