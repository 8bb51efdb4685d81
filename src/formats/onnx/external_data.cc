#include "src/formats/onnx/external_data.h"

namespace windrow::internal {

Result<const FileSource*> ExternalData::open(const std::string& location) {
  if (open_file_ && open_location_ == location) return &*open_file_;
  open_file_.reset();
  Result<FileSource> file = folder_.open(location);
  if (!file) return file.error();
  open_file_.emplace(*std::move(file));
  open_location_ = location;
  return &*open_file_;
}

Result<Tensor> ExternalData::read(const ExternalLocation& where, DType type, const Shape& shape) {
  const Result<const FileSource*> file = open(where.location);
  if (!file) return file.error();
  const std::string name = "external data '" + where.location + "'";
  const std::string what = std::string(dtype_name(type)) + to_string(shape);
  const std::int64_t bytes = dense_byte_count(type, shape).value_or(0);
  if (where.length.value_or(bytes) != bytes)
    return Status(ErrorCode::kFormat, what + " needs " + std::to_string(bytes) + " bytes of " +
                                          name + ", found " + std::to_string(*where.length));
  ConstantBlobs& blobs = blobs_.try_emplace((*file)->identity(), name).first->second;
  Result<Tensor> tensor = blobs.read(**file, where.offset, type, shape);
  if (!tensor) return tensor.error().with_context(what);
  return tensor;
}

}  // namespace windrow::internal
