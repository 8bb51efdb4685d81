#include "src/formats/openvino_ir/ir_constants.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/formats/openvino_ir/ir_text.h"
#include "src/models/types.h"
#include "src/models/value_info.h"

namespace windrow::internal {

Result<IrBlob> IrBin::add(const Tensor& tensor) {
  if (tensor.dtype() != DType::kString)
    return add(std::string_view(static_cast<const char*>(tensor.data()),
                                static_cast<std::size_t>(tensor.byte_count())));
  Result<std::string> packed = pack_strings(tensor);
  if (!packed) return packed.error();
  return add(texts_.emplace_back(*std::move(packed)));
}

Result<IrBlob> IrBin::add(std::string_view bytes) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  const std::size_t hash = std::hash<std::string_view>()(bytes);
  const auto [first, last] = written_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    if (known->second.bytes == bytes) return IrBlob{known->second.offset, size};
  }
  const IrBlob blob{size_, size};
  if (Status status = append_(bytes); !status) return status;
  size_ += size;
  written_.emplace(hash, Written{bytes, blob.offset});
  return blob;
}

namespace {

Result<const std::string*> find_attribute(const IrLayer& layer, std::string_view name) {
  const std::string* const value = layer.attribute(name);
  if (value == nullptr) return format_error("it has no ", name);
  return value;
}

Result<std::int64_t> read_size(const IrLayer& layer, std::string_view name) {
  const Result<const std::string*> text = find_attribute(layer, name);
  if (!text) return text.error();
  const std::optional<std::int64_t> number = parse_integer(**text);
  if (!number || *number < 0) return format_error("the ", name, " is '", **text, "'");
  return *number;
}

Result<DType> read_type(const IrLayer& layer) {
  const Result<const std::string*> name = find_attribute(layer, "element_type");
  if (!name) return name.error();
  const std::optional<DType> type = dtype_of_openvino(**name);
  if (!type) return format_error("the element_type '", **name, "' is not an element type");
  if (*type == DType::kAbsent)
    return unsupported_error("a constant of type '", **name, "' is not supported");
  return *type;
}

Result<Shape> read_shape(const IrLayer& layer) {
  const Result<const std::string*> text = find_attribute(layer, "shape");
  return text ? parse_shape(**text) : Result<Shape>(text.error());
}

}  // namespace

ValueInfo constant_info(const std::string& name, const Constant& constant) {
  ValueInfo info{name, constant.dtype(), std::vector<Dim>()};
  for (const std::int64_t extent : constant.shape()) info.dims->push_back({extent, {}});
  return info;
}

std::string IrConstants::Described::text() const {
  return std::string(openvino_name(type)) + to_string(shape);
}

Result<IrConstants::Described> IrConstants::describe(const IrLayer& layer) {
  const Result<DType> type = read_type(layer);
  const Result<Shape> shape = read_shape(layer);
  const Result<IrBlob> blob = place(layer);
  for (const Status& status : {type.error(), shape.error(), blob.error()}) {
    if (!status) return status;
  }
  Described described = {*type, *shape, *blob};
  const std::optional<std::int64_t> needed = dense_byte_count(*type, *shape);
  if (!needed) return format_error(described.text(), " is too large");
  if (*type == DType::kString) return described;
  if (*needed > blob->bytes)
    return format_error(described.text(), " needs ", *needed, " bytes, its size is ", blob->bytes);
  described.blob.bytes = *needed;
  return described;
}

Result<Constant> IrConstants::read(const IrLayer& layer) {
  const Result<Described> described = describe(layer);
  if (!described) return described.error();
  return with_context(read_blob(described->blob, described->type, described->shape),
                      described->text());
}

Result<IrBlob> IrConstants::place(const IrLayer& layer) {
  const Result<std::int64_t> offset = read_size(layer, "offset");
  const Result<std::int64_t> size = read_size(layer, "size");
  for (const Status& status : {offset.error(), size.error()}) {
    if (!status) return status;
  }
  return IrBlob{*offset, *size};
}

Result<std::string> IrConstants::read_bytes(const IrLayer& layer) {
  const Result<IrBlob> blob = place(layer);
  if (!blob) return blob.error();
  if (blob->bytes == 0) return std::string();
  if (bin_ == nullptr) return missing_;
  return blobs_.read_bytes(*bin_, blob->offset, blob->bytes);
}

Result<Constant> IrConstants::read_blob(const IrBlob& blob, DType type, const Shape& shape) {
  const bool is_text = type == DType::kString;
  if (blob.bytes == 0)
    return in_memory(is_text ? unpack_strings({}, shape) : Tensor::allocate(type, shape));
  if (bin_ == nullptr) return missing_;
  if (!is_text) return blobs_.find(*bin_, blob.offset, type, shape);
  std::shared_ptr<Tensor>& known =
      strings_[{blob.offset, blob.bytes, element_count(shape).value_or(0)}];
  if (known == nullptr) {
    const Result<std::string> bytes = blobs_.read_bytes(*bin_, blob.offset, blob.bytes);
    if (!bytes) return bytes.error();
    Result<Tensor> tensor = unpack_strings(*bytes, shape);
    if (!tensor) return tensor.error();
    known = std::make_shared<Tensor>(*std::move(tensor));
  }
  return Constant(Tensor::adopt(type, shape, known->data(), known));
}

}  // namespace windrow::internal
