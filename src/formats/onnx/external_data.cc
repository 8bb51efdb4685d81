#include "src/formats/onnx/external_data.h"

#include <algorithm>
#include <system_error>

#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

// A process may have only a few hundred files open.
constexpr std::size_t kMostOpenFiles = 16;

std::string external_name(const ExternalLocation& where) {
  return "external data '" + where.location + "'";
}

// Checks that the length that the model names, if any, is what the tensor needs.
Status check_length(const ExternalLocation& where, DType type, const Shape& shape) {
  const std::int64_t bytes = dense_byte_count(type, shape).value_or(0);
  if (where.length.value_or(bytes) == bytes) return {};
  return format_error(type, shape, " needs ", bytes, " bytes of ", external_name(where), ", found ",
                      *where.length);
}

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
  const std::string name = external_name(where);
  const std::string what = std::string(dtype_name(type)) + to_string(shape);
  if (Status status = check_length(where, type, shape); !status) return status;
  const bool at_once = blobs_.size() >= kMostOpenFiles;
  ConstantBlobs& blobs = blobs_.try_emplace((*file)->identity(), name, at_once).first->second;
  return with_context(blobs.find(**file, where.offset, type, shape), what);
}

Result<TensorPlace> ExternalData::place(const ExternalLocation& where, DType type,
                                        const Shape& shape) const {
  const Result<std::filesystem::path> path = folder_.resolve(where.location);
  if (!path) return path.error();
  const Result<FileSource> file = FileSource::open(*path);
  if (!file) return file.error();
  if (Status status = check_length(where, type, shape); !status) return status;
  TensorPlace place = {*path, {}, type, shape, where.offset};
  if (Status status = check_place(place, file->size()); !status)
    return status.with_context(external_name(where));
  return place;
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

Result<std::filesystem::path> ExternalFolder::resolve(const std::string& location) const {
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
  return file;
}

Result<FileSource> ExternalFolder::open(const std::string& location) const {
  const Result<std::filesystem::path> file = resolve(location);
  return file ? FileSource::open(*file) : Result<FileSource>(file.error());
}

}  // namespace windrow::internal
