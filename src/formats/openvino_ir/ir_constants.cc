#include "src/formats/openvino_ir/ir_constants.h"

#include <optional>
#include <string>
#include <utility>

#include "src/formats/openvino_ir/ir_strings.h"
#include "src/formats/openvino_ir/ir_text.h"
#include "src/models/openvino_types.h"

namespace windrow::internal {
namespace {

// Blobs that overlap without being the same may take this many times the file's size.
constexpr std::int64_t kMostOverlap = 4;

Status format_error(std::string what) { return {ErrorCode::kFormat, std::move(what)}; }

Result<const std::string*> find_attribute(const IrLayer& layer, std::string_view name) {
  const std::string* const value = layer.attribute(name);
  if (value == nullptr) return format_error("it has no " + std::string(name));
  return value;
}

Result<std::int64_t> read_size(const IrLayer& layer, std::string_view name) {
  const Result<const std::string*> text = find_attribute(layer, name);
  if (!text) return text.error();
  const std::optional<std::int64_t> number = parse_integer(**text);
  if (!number || *number < 0)
    return format_error("the " + std::string(name) + " is '" + **text + "'");
  return *number;
}

Result<DType> read_type(const IrLayer& layer) {
  const Result<const std::string*> name = find_attribute(layer, "element_type");
  if (!name) return name.error();
  const std::optional<DType> type = dtype_of_openvino(**name);
  if (!type) return format_error("the element_type '" + **name + "' is no element type");
  if (*type == DType::kAbsent)
    return Status(ErrorCode::kUnsupported, "a constant of type '" + **name + "' is not supported");
  return *type;
}

Result<Shape> read_shape(const IrLayer& layer) {
  const Result<const std::string*> text = find_attribute(layer, "shape");
  return text ? parse_shape(**text) : Result<Shape>(text.error());
}

}  // namespace

Result<std::shared_ptr<const Tensor>> IrConstants::read(const IrLayer& layer) {
  const Result<DType> type = read_type(layer);
  const Result<Shape> shape = read_shape(layer);
  const Result<std::int64_t> offset = read_size(layer, "offset");
  const Result<std::int64_t> size = read_size(layer, "size");
  for (const Status& status : {type.error(), shape.error(), offset.error(), size.error()}) {
    if (!status) return status.with_context(layer_text(layer));
  }
  const std::string what = std::string(openvino_name(*type)) + to_string(*shape);
  const std::optional<std::int64_t> needed = dense_byte_count(*type, *shape);
  if (!needed) return format_error(layer_text(layer) + ": " + what + " is too large");
  Place place{*offset, *needed};
  if (*type == DType::kString) {
    place = {*offset, *size, *element_count(*shape)};
  } else if (*needed > *size) {
    return format_error(layer_text(layer) + ": " + what + " needs " + std::to_string(*needed) +
                        " bytes, its size is " + std::to_string(*size));
  }
  const Result<std::shared_ptr<Tensor>> blob = load(place, *type, *shape);
  if (!blob) return blob.error().with_context(layer_text(layer) + ", " + what);
  return std::make_shared<const Tensor>(Tensor::adopt(*type, *shape, (*blob)->data(), *blob));
}

Status IrConstants::check_place(const Place& place) {
  if (bin_ == nullptr) return missing_;
  if (place.offset > bin_->size() || place.bytes > bin_->size() - place.offset)
    return format_error(std::to_string(place.bytes) + " bytes from byte " +
                        std::to_string(place.offset) + " are not in the .bin file, which has " +
                        std::to_string(bin_->size()));
  loaded_bytes_ += place.bytes;
  if (loaded_bytes_ / kMostOverlap > bin_->size())
    return format_error("the constants overlap in the .bin file");
  return {};
}

Result<Tensor> IrConstants::read_elements(const Place& place, DType type,
                                          const Shape& shape) const {
  if (type != DType::kString) {
    Result<Tensor> tensor = Tensor::allocate(type, shape);
    if (!tensor || place.bytes == 0) return tensor;
    const Status status = bin_->read(place.offset, tensor->data(), place.bytes);
    return status ? std::move(tensor) : Result<Tensor>(status);
  }
  std::string bytes(static_cast<std::size_t>(place.bytes), '\0');
  if (place.bytes > 0) {
    if (Status status = bin_->read(place.offset, bytes.data(), place.bytes); !status) return status;
  }
  return unpack_strings(bytes, shape);
}

Result<std::shared_ptr<Tensor>> IrConstants::load(const Place& place, DType type,
                                                  const Shape& shape) {
  const auto known = loaded_.find(place);
  if (known != loaded_.end()) return known->second;
  if (place.bytes > 0) {
    if (Status status = check_place(place); !status) return status;
  }
  Result<Tensor> tensor = read_elements(place, type, shape);
  if (!tensor) return tensor.error();
  auto shared = std::make_shared<Tensor>(*std::move(tensor));
  loaded_.emplace(place, shared);
  return shared;
}

}  // namespace windrow::internal
