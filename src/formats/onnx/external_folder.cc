#include "src/formats/onnx/external_folder.h"

#include <algorithm>
#include <system_error>

#include "src/models/text.h"

namespace windrow::internal {
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
