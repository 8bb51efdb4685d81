#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "src/formats/onnx/tensor_proto.h"
#include "src/models/onnx_types.h"

namespace windrow::internal {
namespace {

Status format_error(std::string what) { return {ErrorCode::kFormat, std::move(what)}; }

// Where a proto keeps its elements.
enum class Storage { kNone, kRaw, kFloat, kInt32, kInt64, kDouble, kUint64, kString, kExternal };

constexpr std::string_view kStorageNames[] = {"no elements", "raw_data",    "float_data",
                                              "int32_data",  "int64_data",  "double_data",
                                              "uint64_data", "string_data", "external data"};

constexpr std::string_view storage_name(Storage storage) {
  return kStorageNames[static_cast<int>(storage)];
}

// The one form in which elements are there; an error if there are two.
Result<Storage> find_storage(const pb::TensorProto& proto) {
  const std::pair<Storage, bool> forms[] = {
      {Storage::kExternal, proto.data_location() == pb::TensorProto::EXTERNAL},
      {Storage::kRaw, !proto.raw_data().empty()},
      {Storage::kFloat, proto.float_data_size() > 0},
      {Storage::kInt32, proto.int32_data_size() > 0},
      {Storage::kInt64, proto.int64_data_size() > 0},
      {Storage::kDouble, proto.double_data_size() > 0},
      {Storage::kUint64, proto.uint64_data_size() > 0},
      {Storage::kString, proto.string_data_size() > 0}};
  Storage found = Storage::kNone;
  for (const auto& [form, present] : forms) {
    if (!present) continue;
    if (found != Storage::kNone)
      return format_error("it has " + std::string(storage_name(found)) + " and " +
                          std::string(storage_name(form)));
    found = form;
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

// Whether `found` entries or bytes are what the tensor needs.
Status check_count(DType type, const Shape& shape, std::int64_t found, std::int64_t needed,
                   const std::string& unit) {
  if (found == needed) return {};
  return format_error(describe(type, shape) + " needs " + std::to_string(needed) + " " + unit +
                      ", found " + std::to_string(found));
}

// Copies field entries that fit into Out, whose width is that of the tensor's elements.
template <class Out, class Field>
Status copy_entries(const Field& field, Tensor& tensor) {
  auto* out = static_cast<Out*>(tensor.data());
  for (const auto value : field) {
    if constexpr (!std::is_same_v<Out, std::remove_const_t<decltype(value)>>) {
      if (static_cast<std::remove_const_t<decltype(value)>>(static_cast<Out>(value)) != value)
        return format_error("the entry " + std::to_string(value) + " does not fit into " +
                            std::string(dtype_name(tensor.dtype())));
    }
    *out++ = static_cast<Out>(value);
  }
  return {};
}

Status copy_int32_entries(const pb::TensorProto& proto, Tensor& tensor) {
  const auto& field = proto.int32_data();
  switch (tensor.dtype()) {
    case DType::kInt32:
      return copy_entries<std::int32_t>(field, tensor);
    case DType::kInt16:
      return copy_entries<std::int16_t>(field, tensor);
    case DType::kInt8:
      return copy_entries<std::int8_t>(field, tensor);
    case DType::kBool:
      return copy_entries<bool>(field, tensor);
    default:  // bits of 16-bit and 8-bit types, and bytes of two 4-bit values
      return dtype_bits(tensor.dtype()) == 16 ? copy_entries<std::uint16_t>(field, tensor)
                                              : copy_entries<std::uint8_t>(field, tensor);
  }
}

Status copy_typed(const pb::TensorProto& proto, Storage storage, Tensor& tensor) {
  switch (storage) {
    case Storage::kFloat:
      return copy_entries<float>(proto.float_data(), tensor);
    case Storage::kDouble:
      return copy_entries<double>(proto.double_data(), tensor);
    case Storage::kInt64:
      return copy_entries<std::int64_t>(proto.int64_data(), tensor);
    case Storage::kUint64:
      return tensor.dtype() == DType::kUint32
                 ? copy_entries<std::uint32_t>(proto.uint64_data(), tensor)
                 : copy_entries<std::uint64_t>(proto.uint64_data(), tensor);
    case Storage::kString:
      std::copy(proto.string_data().begin(), proto.string_data().end(),
                static_cast<std::string*>(tensor.data()));
      return {};
    default:
      return copy_int32_entries(proto, tensor);
  }
}

int entry_count(const pb::TensorProto& proto, Storage storage) {
  switch (storage) {
    case Storage::kFloat:
      return proto.float_data_size();
    case Storage::kDouble:
      return proto.double_data_size();
    case Storage::kInt64:
      return proto.int64_data_size();
    case Storage::kUint64:
      return proto.uint64_data_size();
    case Storage::kString:
      return proto.string_data_size();
    default:
      return proto.int32_data_size();
  }
}

Result<Tensor> read_typed(const pb::TensorProto& proto, Storage storage, DType type,
                          const Shape& shape, std::int64_t count) {
  const Storage right = typed_storage(type);
  if (storage != Storage::kNone && storage != right)
    return format_error("elements of " + std::string(dtype_name(type)) + " stand in " +
                        std::string(storage_name(right)) + " or raw_data, found " +
                        std::string(storage_name(storage)));
  std::int64_t needed = count;
  if (dtype_kind(type) == DTypeKind::kComplex) needed = 2 * count;
  if (is_packed(type)) needed = count / 2 + count % 2;
  Status status = check_count(type, shape, entry_count(proto, right), needed,
                              "entries of " + std::string(storage_name(right)));
  if (!status) return status;
  Result<Tensor> tensor = Tensor::allocate(type, shape);
  if (!tensor) return tensor;
  if (status = copy_typed(proto, right, *tensor); !status) return status;
  return tensor;
}

// A number written as text; nothing if it is not one from 0 to 2^63-1.
std::optional<std::int64_t> parse_size(const std::string& text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < 0) return std::nullopt;
  return value;
}

Result<ExternalLocation> parse_location(const pb::TensorProto& proto) {
  ExternalLocation result;
  for (const auto& entry : proto.external_data()) {
    if (entry.key() == "location") result.location = entry.value();
    if (entry.key() != "offset" && entry.key() != "length") continue;
    const std::optional<std::int64_t> number = parse_size(entry.value());
    if (!number)
      return format_error("external data with the " + entry.key() + " '" + entry.value() + "'");
    if (entry.key() == "offset") {
      result.offset = *number;
    } else {
      result.length = number;
    }
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
    if (extent < 0) return format_error("a dimension is " + std::to_string(extent));
    if (!shape.push_back(extent))
      return Status(ErrorCode::kShape, "the rank is " + std::to_string(proto.dims_size()) +
                                           ", at most " + std::to_string(kMaxRank));
  }
  return shape;
}

Result<Constant> read_elements(const pb::TensorProto& proto, ExternalData& external) {
  if (!proto.has_data_type() || proto.data_type() == 0) return format_error("no element type");
  const DType type = dtype_of_onnx(proto.data_type());
  if (type == DType::kAbsent)
    return Status(ErrorCode::kUnsupported, "element type " + std::to_string(proto.data_type()) +
                                               " of ONNX is not supported");
  if (proto.has_segment()) return Status(ErrorCode::kUnsupported, "segments are not supported");
  const Result<Shape> shape = read_shape(proto);
  if (!shape) return shape.error();
  const auto bytes = dense_byte_count(type, *shape);
  if (!bytes) return format_error(describe(type, *shape) + " is too large");
  const Result<Storage> storage = find_storage(proto);
  if (!storage) return storage.error();

  const bool in_bytes = *storage == Storage::kRaw || *storage == Storage::kExternal;
  if (in_bytes && type == DType::kString)
    return format_error("strings stand in string_data, found " +
                        std::string(storage_name(*storage)));
  if (*storage == Storage::kExternal) return read_external(proto, external, type, *shape);
  if (*storage == Storage::kRaw) return read_raw(proto, external, type, *shape, *bytes);
  return in_memory(read_typed(proto, *storage, type, *shape, element_count(*shape).value_or(0)));
}

}  // namespace

Result<Constant> read_constant(const pb::TensorProto& proto, ExternalData& external) {
  Result<Constant> constant = read_elements(proto, external);
  if (constant) return constant;
  return constant.error().with_context("tensor '" + proto.name() + "'");
}

Result<Tensor> read_tensor(const pb::TensorProto& proto, ExternalData& external) {
  const Result<Constant> constant = read_constant(proto, external);
  if (!constant) return constant.error();
  const Result<std::shared_ptr<const Tensor>> tensor = constant->tensor();
  if (!tensor) return tensor.error().with_context("tensor '" + proto.name() + "'");
  const auto owner = std::const_pointer_cast<Tensor>(*tensor);
  return Tensor::adopt(owner->dtype(), owner->shape(), owner->data(), owner);
}

}  // namespace windrow::internal
