#include "src/formats/onnx/external_data.h"

#include "src/models/text.h"

namespace windrow::internal {
namespace {

// A process may have only a few hundred files open.
constexpr std::size_t kMostOpenFiles = 16;

}  // namespace

Result<const FileSource*> ExternalData::open(const std::string& location) {
  if (open_file_ && open_location_ == location) return &*open_file_;
  open_file_.reset();
  Result<FileSource> file = folder_.open(location);
  if (!file) return file.error();
  open_file_.emplace(*std::move(file));
  open_location_ = location;
  return &*open_file_;
}

Result<Constant> ExternalData::find(const ExternalLocation& where, DType type, const Shape& shape) {
  const Result<const FileSource*> file = open(where.location);
  if (!file) return file.error();
  const std::string name = "external data '" + where.location + "'";
  const std::string what = std::string(dtype_name(type)) + to_string(shape);
  const std::int64_t bytes = dense_byte_count(type, shape).value_or(0);
  if (where.length.value_or(bytes) != bytes)
    return format_error(what, " needs ", bytes, " bytes of ", name, ", found ", *where.length);
  const bool at_once = blobs_.size() >= kMostOpenFiles;
  ConstantBlobs& blobs = blobs_.try_emplace((*file)->identity(), name, at_once).first->second;
  return with_context(blobs.find(**file, where.offset, type, shape), what);
}

Status ExternalData::restore(std::string& raw_data) const {
  const auto range = find_elided(raw_data);
  if (!range) return {};
  Result<std::string> bytes = file_->read_bytes(range->offset, range->bytes);
  if (!bytes) return bytes.error();
  raw_data = *std::move(bytes);
  return {};
}

}  // namespace windrow::internal
