#include "src/formats/arrow_ipc/arrow_schema.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <vector>

#include "src/formats/archive.h"
#include "src/formats/byte_source.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

constexpr int kMostNesting = 64;

// The fields of the tables that are read, by their numbers.
enum SchemaField { kSchemaEndianness = 0, kSchemaFields = 1 };
enum FieldField {
  kFieldName = 0,
  kFieldTypeKind = 2,
  kFieldType = 3,
  kFieldDictionary = 4,
  kFieldChildren = 5
};

enum class ArrowType : std::uint8_t {
  kNone,
  kInt = 2,
  kFloat = 3,
  kFixedBinary = 15,
  kFixedList = 16
};

// What a type's name is in messages, and the number of buffers that its array has by itself.
// Negative: it depends on the batch, one more for each buffer that the batch counts.
struct ArrowKind {
  std::string_view name;
  int buffers;
};
constexpr std::array kArrowKinds = {
    ArrowKind{"none", 0},
    ArrowKind{"null", 0},
    ArrowKind{"int", 2},
    ArrowKind{"float", 2},
    ArrowKind{"binary", 3},
    ArrowKind{"utf8", 3},
    ArrowKind{"bool", 2},
    ArrowKind{"decimal", 2},
    ArrowKind{"date", 2},
    ArrowKind{"time", 2},
    ArrowKind{"timestamp", 2},
    ArrowKind{"interval", 2},
    ArrowKind{"list", 2},
    ArrowKind{"struct", 1},
    ArrowKind{"union", 0},
    ArrowKind{"fixed-size binary", 2},
    ArrowKind{"fixed-size list", 1},
    ArrowKind{"map", 2},
    ArrowKind{"duration", 2},
    ArrowKind{"large binary", 3},
    ArrowKind{"large utf8", 3},
    ArrowKind{"large list", 2},
    ArrowKind{"run-end encoded", 0},
    ArrowKind{"binary view", -2},
    ArrowKind{"utf8 view", -2},
    ArrowKind{"list view", 3},
    ArrowKind{"large list view", 3},
};
constexpr std::int64_t kUnion = 14;

const ArrowKind* kind_of(const FlatTable& field) {
  const std::int64_t kind = field.number(kFieldTypeKind, 1);
  if (kind <= 0 || kind >= std::ssize(kArrowKinds)) return nullptr;
  return &kArrowKinds[static_cast<std::size_t>(kind)];
}

Status refuse_type(const FlatTable& field) {
  const ArrowKind* const kind = kind_of(field);
  if (field.has(kFieldDictionary))
    return unsupported_error("its values are encoded by a dictionary, expected plain numbers");
  return unsupported_error("it is of type ", kind == nullptr ? "unknown" : kind->name,
                           ", expected integers or floats, fixed-size lists of them, or "
                           "fixed-size binary");
}

DType number_type(const FlatTable& field, ArrowType kind) {
  const FlatTable type = field.table(kFieldType);
  if (kind == ArrowType::kFloat) {
    constexpr std::array kFloats = {DType::kFloat16, DType::kFloat32, DType::kFloat64};
    const std::int64_t precision = type.number(0, 2);
    const bool is_known = precision >= 0 && precision < std::ssize(kFloats);
    return is_known ? kFloats[static_cast<std::size_t>(precision)] : DType::kAbsent;
  }
  const DTypeKind wanted = type.number(1, 1) != 0 ? DTypeKind::kSigned : DTypeKind::kUnsigned;
  for (const DType dtype : {DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64,
                            DType::kUint8, DType::kUint16, DType::kUint32, DType::kUint64})
    if (dtype_kind(dtype) == wanted && dtype_bits(dtype) == type.number(0, 4)) return dtype;
  return DType::kAbsent;
}

// Goes through a schema's fields and what they take of each batch.
class SchemaReader {
 public:
  explicit SchemaReader(FlatBytes& bytes) : bytes_(bytes) {}

  // Reads the type of the column.
  Status describe(const FlatTable& field, ArrowColumn& column) {
    const auto kind = static_cast<ArrowType>(field.number(kFieldTypeKind, 1));
    if (field.has(kFieldDictionary)) return refuse_type(field);
    if (kind == ArrowType::kFixedList || kind == ArrowType::kFixedBinary) {
      const std::int64_t extent = field.table(kFieldType).number(0, 4);
      if (extent < 0) return format_error("it has rows of ", extent, " elements");
      // The batches are the first axis.
      if (column.row.rank() + 1 == kMaxRank) return shape_error("the rank is above ", kMaxRank);
      column.row.push_back(extent);
    }
    if (kind == ArrowType::kFixedBinary) column.dtype = DType::kUint8;
    if (kind == ArrowType::kInt || kind == ArrowType::kFloat)
      column.dtype = number_type(field, kind);
    if (kind != ArrowType::kFixedList)
      return column.dtype == DType::kAbsent ? refuse_type(field) : Status();
    const FlatVector children = field.vector(kFieldChildren, 4);
    if (children.count != 1) return damaged_arrow("schema");
    ++column.levels;
    return describe(field.element(children, 0), column);
  }

  // Adds what a field takes.
  Status pass(const FlatTable& field, BatchPosition& position, int depth = 0) {
    // Fields of tables that refer to one another may be more than the bytes could hold.
    if (depth > kMostNesting || ++passed_ > bytes_.size()) return damaged_arrow("schema");
    const ArrowKind* const kind = kind_of(field);
    if (kind == nullptr || field.number(kFieldTypeKind, 1) == kUnion)
      return unsupported_error("the column '", field.text(kFieldName), "' before it is of type ",
                               kind == nullptr ? "unknown" : kind->name,
                               ", after which columns can't be found");
    ++position.nodes;
    if (field.has(kFieldDictionary)) {
      position.buffers += 2;
      return {};
    }
    position.buffers += std::max(kind->buffers, -kind->buffers);
    if (kind->buffers < 0) ++position.views;
    const FlatVector children = field.vector(kFieldChildren, 4);
    for (std::int64_t i = 0; i < children.count; ++i)
      if (Status status = pass(field.element(children, i), position, depth + 1); !status)
        return status;
    return {};
  }

 private:
  FlatBytes& bytes_;
  std::int64_t passed_ = 0;
};

}  // namespace

Status damaged_arrow(std::string_view what) { return format_error("the ", what, " is damaged"); }

Result<ArrowColumn> find_arrow_column(FlatBytes& bytes, const FlatTable& schema,
                                      const std::filesystem::path& path, const std::string& name) {
  if (schema.number(kSchemaEndianness, 2) != 0)
    return unsupported_error(quoted(path), ": big-endian numbers are not supported");
  const FlatVector fields = schema.vector(kSchemaFields, 4);
  std::vector<std::string> names;
  // Names that share their bytes may be more than the bytes could hold.
  std::int64_t left = bytes.size();
  for (std::int64_t i = 0; i < fields.count && left >= 0; ++i) {
    names.emplace_back(schema.element(fields, i).text(kFieldName));
    left -= std::ssize(names.back());
  }
  if (left < 0) bytes.set_damaged();
  if (bytes.is_damaged()) return damaged_arrow("schema").with_context(quoted(path));
  const Result<std::size_t> position = choose_name(path, names, name);
  if (!position) return position.error();
  ArrowColumn column;
  column.name = names[*position];
  SchemaReader reader(bytes);
  const auto chosen = static_cast<std::int64_t>(*position);
  Status status = reader.describe(schema.element(fields, chosen), column);
  for (std::int64_t i = 0; status && i < chosen; ++i)
    status = reader.pass(schema.element(fields, i), column.before);
  if (bytes.is_damaged()) status = damaged_arrow("schema");
  if (status) return column;
  return status.with_context(quoted(path) + ": column '" + column.name + "'");
}

}  // namespace windrow::internal
