#ifndef WINDROW_FORMATS_ONNX_EXTERNAL_FOLDER_H_
#define WINDROW_FORMATS_ONNX_EXTERNAL_FOLDER_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "src/formats/byte_source.h"
#include "windrow/status.h"

namespace windrow::internal {

// Where a tensor's bytes stand outside the model file.
struct ExternalLocation {
  std::string location;  // relative to the model's folder
  std::int64_t offset = 0;
  std::optional<std::int64_t> length;  // absent: as many bytes as the tensor needs
};

// The folder of a model: its external data may stand there and below, nowhere else.
class ExternalFolder {
 public:
  explicit ExternalFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  // The folder in which the file stands.
  static ExternalFolder of(const std::filesystem::path& file);

  // Opens the file that a location names. Errors: kFormat (absolute, "..", or a link out of the
  // folder), kIo.
  Result<FileSource> open(const std::string& location) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_EXTERNAL_FOLDER_H_
