#include "src/formats/onnx/tensor_proto.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "src/formats/text_parser.h"
#include "src/models/types.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

// ONNX's types by the index of a value's type in AttributeValue. ONNX has no Boolean attributes.
constexpr pb::AttributeProto::AttributeType kTypes[] = {
    pb::AttributeProto::kInt,    pb::AttributeProto::kFloat,  pb::AttributeProto::kString,
    pb::AttributeProto::kInts,   pb::AttributeProto::kFloats, pb::AttributeProto::kStrings,
    pb::AttributeProto::kTensor, pb::AttributeProto::kInt};

// Sets the field that holds a value.
struct AttributeWriter {
  pb::AttributeProto& proto;

  void operator()(std::int64_t value) const { proto.set_i(value); }
  void operator()(bool value) const { proto.set_i(value ? 1 : 0); }
  void operator()(double value) const { proto.set_f(static_cast<float>(value)); }
  void operator()(const std::string& value) const { proto.set_s(value); }
  void operator()(const std::vector<std::int64_t>& values) const {
    proto.mutable_ints()->add(values.begin(), values.end());
  }
  void operator()(const std::vector<double>& values) const {
    for (const double value : values) proto.add_floats(static_cast<float>(value));
  }
  void operator()(const std::vector<std::string>& values) const {
    for (const std::string& value : values) proto.add_strings(value);
  }
  void operator()(const std::shared_ptr<const Tensor>& /*value*/) const {
  }  // written by write_attribute(), since it may fail
};

}  // namespace

Result<AttributeValue> read_attribute(const pb::AttributeProto& proto, ExternalData& external) {
  if (!proto.ref_attr_name().empty())
    return format_error("a reference to a function's attribute outside a function");
  switch (proto.type()) {
    case pb::AttributeProto::kInt:
      return AttributeValue(proto.i());
    case pb::AttributeProto::kFloat:
      return AttributeValue(static_cast<double>(proto.f()));
    case pb::AttributeProto::kString:
      return AttributeValue(proto.s());
    case pb::AttributeProto::kInts:
      return AttributeValue(std::vector<std::int64_t>(proto.ints().begin(), proto.ints().end()));
    case pb::AttributeProto::kFloats:
      return AttributeValue(std::vector<double>(proto.floats().begin(), proto.floats().end()));
    case pb::AttributeProto::kStrings:
      return AttributeValue(
          std::vector<std::string>(proto.strings().begin(), proto.strings().end()));
    case pb::AttributeProto::kTensor: {
      Result<Tensor> tensor = read_tensor(proto.t(), external);
      if (!tensor) return tensor.error();
      return AttributeValue(std::make_shared<const Tensor>(*std::move(tensor)));
    }
    case pb::AttributeProto::kUndefined:
      return format_error("it has no type");
    case pb::AttributeProto::kGraph:
    case pb::AttributeProto::kGraphs:
      return unsupported_error("graphs inside nodes are not supported");
    default:
      return unsupported_error("attribute type ", static_cast<int>(proto.type()),
                               " is not supported");
  }
}

Status write_attribute(const AttributeValue& value, pb::AttributeProto& proto) {
  proto.set_type(kTypes[value.index()]);
  std::visit(AttributeWriter{proto}, value);
  const auto* const tensor = std::get_if<std::shared_ptr<const Tensor>>(&value);
  if (tensor == nullptr) return {};
  return write_tensor_proto((*tensor)->view(), {}, *proto.mutable_t());
}

ValueInfo read_value_info(const pb::ValueInfoProto& proto) {
  ValueInfo value{proto.name(), DType::kAbsent, std::nullopt};
  if (!proto.type().has_tensor_type()) return value;
  const pb::TypeProto::Tensor& type = proto.type().tensor_type();
  value.dtype = dtype_of_onnx(type.elem_type());
  value.other_type = other_type_of_onnx(type.elem_type());
  // Nothing is kept of a rank that no tensor can have: inference would copy it from node to node.
  if (!type.has_shape() || type.shape().dim_size() > kMaxRank) return value;
  value.dims.emplace();
  for (const auto& dim : type.shape().dim())
    value.dims->push_back(dim.has_dim_value() ? Dim{std::max<std::int64_t>(dim.dim_value(), -1), {}}
                                              : Dim{-1, dim.dim_param()});
  return value;
}

bool is_plain(const pb::ValueInfoProto& proto) {
  pb::ValueInfoProto again;
  write_value_info(read_value_info(proto), again);
  return again.byte_size() == proto.byte_size() && again.serialize() == proto.serialize();
}

void write_value_info(const ValueInfo& value, pb::ValueInfoProto& proto) {
  proto.set_name(value.name);
  if (value.dtype == DType::kAbsent) return;
  pb::TypeProto::Tensor& type = *proto.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx_of_dtype(value.dtype));
  if (!value.dims) return;
  pb::TensorShapeProto& shape = *type.mutable_shape();
  for (const Dim& dim : *value.dims) {
    auto& written = *shape.add_dim();
    if (dim.is_known()) {
      written.set_dim_value(dim.value);
    } else if (!dim.symbol.empty()) {
      written.set_dim_param(dim.symbol);
    }
  }
}

namespace {

// Where a proto keeps its elements.
enum class Storage { kNone, kExternal, kRaw, kFloat, kInt32, kInt64, kDouble, kUint64, kString };

constexpr std::string_view kStorageNames[] = {"no elements", "external data", "raw_data",
                                              "float_data",  "int32_data",    "int64_data",
                                              "double_data", "uint64_data",   "string_data"};

constexpr std::string_view storage_name(Storage storage) {
  return kStorageNames[static_cast<int>(storage)];
}

// Calls `visit` with the typed field of that form and returns its result.
template <class Visit>
auto visit_entries(const pb::TensorProto& proto, Storage storage, const Visit& visit) {
  switch (storage) {
    case Storage::kFloat:
      return visit(proto.float_data());
    case Storage::kDouble:
      return visit(proto.double_data());
    case Storage::kInt64:
      return visit(proto.int64_data());
    case Storage::kUint64:
      return visit(proto.uint64_data());
    case Storage::kString:
      return visit(proto.string_data());
    default:
      return visit(proto.int32_data());
  }
}

int entry_count(const pb::TensorProto& proto, Storage storage) {
  return visit_entries(proto, storage, [](const auto& field) { return field.size(); });
}

// The form in which the elements are stored; two forms are an error.
Result<Storage> find_storage(const pb::TensorProto& proto) {
  Storage found = Storage::kNone;
  for (int i = 1; i < std::ssize(kStorageNames); ++i) {
    const auto form = static_cast<Storage>(i);
    bool is_there = false;
    if (form == Storage::kExternal) {
      is_there = proto.data_location() == pb::TensorProto::kExternal;
    } else if (form == Storage::kRaw) {
      is_there = !proto.raw_data().empty();
    } else {
      is_there = entry_count(proto, form) > 0;
    }
    if (is_there && found != Storage::kNone)
      return format_error("it has ", storage_name(found), " and ", storage_name(form));
    if (is_there) found = form;
  }
  return found;
}

Storage typed_storage(DType type) {
  switch (type) {
    case DType::kFloat32:
    case DType::kComplex64:
      return Storage::kFloat;
    case DType::kFloat64:
    case DType::kComplex128:
      return Storage::kDouble;
    case DType::kInt64:
      return Storage::kInt64;
    case DType::kUint32:
    case DType::kUint64:
      return Storage::kUint64;
    case DType::kString:
      return Storage::kString;
    default:
      return Storage::kInt32;
  }
}

std::string describe(DType type, const Shape& shape) {
  return std::string(dtype_name(type)) + to_string(shape);
}

// Checks that the tensor has the number of entries or bytes that it needs.
Status check_count(DType type, const Shape& shape, std::int64_t found, std::int64_t needed,
                   const std::string& unit) {
  if (found == needed) return {};
  return format_error(describe(type, shape), " needs ", needed, " ", unit, ", found ", found);
}

// Copies field entries that fit into Out, whose width is that of the tensor's elements.
template <class Out, class Field>
Status copy_entries(const Field& field, Tensor& tensor) {
  using Entry = typename Field::value_type;
  auto* out = static_cast<Out*>(tensor.data());
  for (const Entry& value : field) {
    if constexpr (!std::is_same_v<Out, Entry>) {
      if (static_cast<Entry>(static_cast<Out>(value)) != value)
        return format_error("the entry ", value, " does not fit into ", dtype_name(tensor.dtype()));
    }
    *out++ = static_cast<Out>(value);
  }
  return {};
}

template <class Field>
Status copy_int32_entries(const Field& field, Tensor& tensor) {
  switch (tensor.dtype()) {
    case DType::kInt32:
      return copy_entries<std::int32_t>(field, tensor);
    case DType::kInt16:
      return copy_entries<std::int16_t>(field, tensor);
    case DType::kInt8:
      return copy_entries<std::int8_t>(field, tensor);
    case DType::kBool:
      return copy_entries<bool>(field, tensor);
    default:  // bits of 16-bit and 8-bit types, and bytes of packed values
      return dtype_bits(tensor.dtype()) == 16 ? copy_entries<std::uint16_t>(field, tensor)
                                              : copy_entries<std::uint8_t>(field, tensor);
  }
}

Status copy_typed(const pb::TensorProto& proto, Storage storage, Tensor& tensor) {
  return visit_entries(proto, storage, [&tensor](const auto& field) {
    using Entry = typename std::remove_cvref_t<decltype(field)>::value_type;
    if constexpr (std::is_same_v<Entry, std::int32_t>) return copy_int32_entries(field, tensor);
    if constexpr (std::is_same_v<Entry, std::uint64_t>)
      if (tensor.dtype() == DType::kUint32) return copy_entries<std::uint32_t>(field, tensor);
    return copy_entries<Entry>(field, tensor);
  });
}

Result<Tensor> read_typed(const pb::TensorProto& proto, Storage storage, DType type,
                          const Shape& shape, std::int64_t count) {
  const Storage right = typed_storage(type);
  if (storage != Storage::kNone && storage != right)
    return format_error("elements of ", dtype_name(type), " stand in ", storage_name(right),
                        " or raw_data, found ", storage_name(storage));
  std::int64_t needed = count;
  if (dtype_kind(type) == DTypeKind::kComplex) needed = 2 * count;
  if (is_packed(type)) needed = dense_byte_count(type, shape).value_or(0);
  Status status = check_count(type, shape, entry_count(proto, right), needed,
                              "entries of " + std::string(storage_name(right)));
  if (!status) return status;
  Result<Tensor> tensor = Tensor::allocate(type, shape);
  if (!tensor) return tensor;
  if (status = copy_typed(proto, right, *tensor); !status) return status;
  return tensor;
}

Result<ExternalLocation> parse_location(const pb::TensorProto& proto) {
  ExternalLocation result;
  for (const auto& entry : proto.external_data()) {
    if (entry.key() == "location") result.location = entry.value();
    if (entry.key() != "offset" && entry.key() != "length") continue;
    const std::optional<std::int64_t> number = parse_number(entry.value());
    if (!number || *number < 0)
      return format_error("external data with the ", entry.key(), " '", entry.value(), "'");
    if (entry.key() == "offset") result.offset = *number;
    if (entry.key() == "length") result.length = number;
  }
  return result;
}

Result<Constant> read_external(const pb::TensorProto& proto, ExternalData& external, DType type,
                               const Shape& shape) {
  const Result<ExternalLocation> where = parse_location(proto);
  return where ? external.find(*where, type, shape) : Result<Constant>(where.error());
}

Result<Constant> read_raw(const pb::TensorProto& proto, ExternalData& external, DType type,
                          const Shape& shape, std::int64_t bytes) {
  const auto check = [&](std::size_t found) {
    return check_count(type, shape, static_cast<std::int64_t>(found), bytes, "bytes of raw_data");
  };
  if (const auto elided = external.find_elided(proto.raw_data()); elided) {
    Status status = check(static_cast<std::size_t>(elided->bytes));
    return status ? external.read_elided(*elided, type, shape) : Result<Constant>(status);
  }
  if (Status status = check(proto.raw_data().size()); !status) return status;
  Result<Tensor> tensor = Tensor::allocate(type, shape);
  if (tensor) std::memcpy(tensor->data(), proto.raw_data().data(), proto.raw_data().size());
  return in_memory(std::move(tensor));
}

Result<Shape> read_shape(const pb::TensorProto& proto) {
  Shape shape;
  for (const std::int64_t extent : proto.dims()) {
    if (extent < 0) return format_error("a dimension is ", extent);
    if (!shape.push_back(extent))
      return shape_error("the rank is ", proto.dims_size(), ", at most ", kMaxRank);
  }
  return shape;
}

// What a tensor says of itself besides its elements.
struct TensorHeader {
  DType type = DType::kAbsent;
  Shape shape;
  std::int64_t bytes = 0;  // that the elements take in memory
  Storage storage = Storage::kNone;
};

Result<TensorHeader> read_tensor_header(const pb::TensorProto& proto) {
  if (!proto.has_data_type() || proto.data_type() == 0) return format_error("no element type");
  const DType type = dtype_of_onnx(proto.data_type());
  if (type == DType::kAbsent)
    return unsupported_error("element type ", proto.data_type(), " of ONNX is not supported");
  if (proto.has_segment()) return unsupported_error("segments are not supported");
  const Result<Shape> shape = read_shape(proto);
  if (!shape) return shape.error();
  const auto bytes = dense_byte_count(type, *shape);
  if (!bytes) return format_error(describe(type, *shape), " is too large");
  const Result<Storage> storage = find_storage(proto);
  if (!storage) return storage.error();

  const bool in_bytes = *storage == Storage::kRaw || *storage == Storage::kExternal;
  if (in_bytes && type == DType::kString)
    return format_error("strings stand in string_data, found ", storage_name(*storage));
  return TensorHeader{type, *shape, *bytes, *storage};
}

Result<Constant> read_elements(const pb::TensorProto& proto, ExternalData& external) {
  const Result<TensorHeader> header = read_tensor_header(proto);
  if (!header) return header.error();
  const auto& [type, shape, bytes, storage] = *header;
  if (storage == Storage::kExternal) return read_external(proto, external, type, shape);
  if (storage == Storage::kRaw) return read_raw(proto, external, type, shape, bytes);
  return in_memory(read_typed(proto, storage, type, shape, element_count(shape).value_or(0)));
}

Result<TensorPlace> place_elements(const pb::TensorProto& proto, const ExternalData& external) {
  const Result<TensorHeader> header = read_tensor_header(proto);
  if (!header) return header.error();
  const auto& [type, shape, bytes, storage] = *header;
  if (type == DType::kString) return unsupported_error("strings have no fixed size");
  if (storage == Storage::kExternal) {
    const Result<ExternalLocation> where = parse_location(proto);
    return where ? external.place(*where, type, shape) : Result<TensorPlace>(where.error());
  }
  const auto elided = external.find_elided(proto.raw_data());
  if (storage != Storage::kNone && !elided)
    return unsupported_error("its elements stand in ", storage_name(storage),
                             " and can't be found without parsing the model's file; save the model "
                             "with external data");
  const ElidedFile::Range range = elided.value_or(ElidedFile::Range());
  Status status = check_count(type, shape, range.bytes, bytes, "bytes of raw_data");
  if (!status) return status;
  TensorPlace place = {{}, {}, type, shape, range.offset};
  if (status = check_place(place, range.offset + range.bytes); !status) return status;
  return place;
}

}  // namespace

Result<Constant> read_constant(const pb::TensorProto& proto, ExternalData& external) {
  return with_context(read_elements(proto, external), "tensor '" + proto.name() + "'");
}

Result<TensorPlace> place_constant(const pb::TensorProto& proto, const std::string& name,
                                   const ExternalData& external) {
  Result<TensorPlace> place = place_elements(proto, external);
  if (place) place->name = name;
  return with_context(std::move(place), "tensor '" + name + "'");
}

Result<Tensor> read_tensor(const pb::TensorProto& proto, ExternalData& external) {
  const Result<Constant> constant = read_constant(proto, external);
  if (!constant) return constant.error();
  const Result<std::shared_ptr<const Tensor>> tensor = constant->tensor();
  if (!tensor) return tensor.error().with_context("tensor '" + proto.name() + "'");
  const auto owner = std::const_pointer_cast<Tensor>(*tensor);
  return Tensor::adopt(owner->dtype(), owner->shape(), owner->data(), owner);
}

Status write_tensor_header(DType type, const Shape& shape, const std::string& name,
                           pb::TensorProto& proto) {
  if (Status status = check_onnx_type(type); !status) return status;
  proto.clear();
  for (const std::int64_t extent : shape) proto.add_dims(extent);
  proto.set_data_type(onnx_of_dtype(type));
  if (!name.empty()) proto.set_name(name);
  return {};
}

void set_external(const std::vector<std::pair<std::string, std::string>>& entries,
                  pb::TensorProto& proto) {
  proto.set_data_location(pb::TensorProto::kExternal);
  for (const auto& [key, value] : entries) {
    auto& entry = *proto.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
}

Status write_tensor_proto(const TensorView& tensor, const std::string& name,
                          pb::TensorProto& proto) {
  if (!tensor.is_dense()) {
    const Result<Tensor> dense = Tensor::copy_of(tensor);
    return dense ? write_tensor_proto(dense->view(), name, proto) : dense.error();
  }
  Status status = write_tensor_header(tensor.dtype, tensor.shape, name, proto);
  if (!status) return status;
  if (tensor.dtype == DType::kString) {
    const auto* const texts = static_cast<const std::string*>(tensor.data);
    const std::int64_t count = element_count(tensor.shape).value_or(0);
    for (std::int64_t i = 0; i < count; ++i) proto.add_string_data(texts[i]);
  } else {
    const std::int64_t bytes = dense_byte_count(tensor.dtype, tensor.shape).value_or(0);
    proto.mutable_raw_data()->assign(static_cast<const char*>(tensor.data),
                                     static_cast<std::size_t>(bytes));
  }
  return {};
}

}  // namespace windrow::internal
