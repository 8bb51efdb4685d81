#include "src/formats/onnx/external_data.h"

#include <algorithm>
#include <system_error>

#include "src/models/value_info.h"

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

namespace {

Status refuse(const std::string& location, const std::string& why) {
  return format_error("external data '", location, "' is refused: ", why);
}

bool is_inside(const std::filesystem::path& file, const std::filesystem::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first ==
         folder.end();
}

}  // namespace

ExternalFolder ExternalFolder::of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  return ExternalFolder(folder.empty() ? "." : folder);
}

Result<FileSource> ExternalFolder::open(const std::string& location) const {
  const std::filesystem::path relative(location);
  if (location.empty()) return refuse(location, "no location");
  if (location.find('\0') != std::string::npos) return refuse(location, "a zero in its name");
  if (relative.is_absolute()) return refuse(location, "the path is absolute");
  if (std::find(relative.begin(), relative.end(), "..") != relative.end())
    return refuse(location, "the path has '..'");

  if (folder_.empty())
    return argument_error(
        "external data '", location,
        "' stands in a file, and the model was given without the folder of its files");
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::canonical(folder_, error);
  if (error) return io_error("cannot open ", quoted(folder_), ": ", error.message());
  const std::filesystem::path file = std::filesystem::canonical(folder / relative, error);
  if (error) return io_error("cannot open external data '", location, "': ", error.message());
  if (!is_inside(file, folder)) return refuse(location, "a link leaves the model's folder");
  return FileSource::open(file);
}

}  // namespace windrow::internal
