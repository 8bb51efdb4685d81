#ifndef WINDROW_FORMATS_ONNX_EXTERNAL_FOLDER_H_
#define WINDROW_FORMATS_ONNX_EXTERNAL_FOLDER_H_

#include <filesystem>
#include <string>
#include <utility>

#include "src/formats/byte_source.h"
#include "windrow/status.h"

namespace windrow::internal {

// The folder of a model: its external data may stand there and below, nowhere else.
class ExternalFolder {
 public:
  // An empty path means a model in memory whose folder is unknown.
  explicit ExternalFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  // The folder in which the file stands.
  static ExternalFolder of(const std::filesystem::path& file);

  // Opens the file that a location names. Errors: kFormat (absolute, "..", or a link out of the
  // folder), kInvalidArgument (the folder is not known), kIo.
  Result<FileSource> open(const std::string& location) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_EXTERNAL_FOLDER_H_
