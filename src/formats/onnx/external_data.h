#ifndef WINDROW_FORMATS_ONNX_EXTERNAL_DATA_H_
#define WINDROW_FORMATS_ONNX_EXTERNAL_DATA_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "src/formats/byte_source.h"
#include "src/formats/constant_blobs.h"
#include "src/formats/onnx/external_folder.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Where a tensor's bytes stand outside the model file.
struct ExternalLocation {
  std::string location;  // relative to the model's folder
  std::int64_t offset = 0;
  std::optional<std::int64_t> length;  // absent: as many bytes as the tensor needs
};

// The external data of one model: reads tensors from the files of its folder. What the tensors of
// one file may take, and share, is decided by ConstantBlobs; a file counts once under all its
// names.
class ExternalData {
 public:
  explicit ExternalData(ExternalFolder folder) : folder_(std::move(folder)) {}

  // A dense tensor. Its memory may be shared with other tensors of the same bytes. Errors: those of
  // ExternalFolder::open, kFormat (another length than the tensor needs, the bytes are not in the
  // file, or too many bytes overlap), kIo, kOutOfMemory.
  Result<Tensor> read(const ExternalLocation& where, DType type, const Shape& shape);

 private:
  // The file of the last tensor stays open: most models have one file.
  Result<const FileSource*> open(const std::string& location);

  ExternalFolder folder_;
  std::string open_location_;
  std::optional<FileSource> open_file_;
  std::map<FileSource::Identity, ConstantBlobs> blobs_;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_EXTERNAL_DATA_H_
