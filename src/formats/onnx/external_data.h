#ifndef WINDROW_FORMATS_ONNX_EXTERNAL_DATA_H_
#define WINDROW_FORMATS_ONNX_EXTERNAL_DATA_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "src/formats/byte_source.h"
#include "src/formats/onnx/elided.h"
#include "src/formats/tensor_place.h"
#include "windrow/constant.h"
#include "windrow/status.h"

namespace windrow::internal {

// The folder of a model: its external data may stand there and below, nowhere else.
class ExternalFolder {
 public:
  // An empty path means a model in memory whose folder is unknown.
  explicit ExternalFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  // The folder in which the file stands.
  static ExternalFolder of(const std::filesystem::path& file);

  // The file that a location names, without links. Errors: kFormat (absolute, "..", or a link out
  // of the folder), kInvalidArgument (the folder is not known), kIo.
  Result<std::filesystem::path> resolve(const std::string& location) const;
  // Opens that file. Errors: the same.
  Result<FileSource> open(const std::string& location) const;

 private:
  std::filesystem::path folder_;
};

// Where a tensor's bytes stand outside the model file.
struct ExternalLocation {
  std::string location;  // relative to the model's folder
  std::int64_t offset = 0;
  std::optional<std::int64_t> length;  // absent: as many bytes as the tensor needs
};

// The elements of one model that are outside its message: in the files of its folder, or left out
// when its own file was parsed. ConstantBlobs decides what the constants of one file may take and
// share; a file with several names counts once.
class ExternalData {
 public:
  explicit ExternalData(ExternalFolder folder) : folder_(std::move(folder)) {}
  // `file` and `elided` must outlive the object; it is the file that `elided` was made of.
  ExternalData(ExternalFolder folder, const ByteSource& file, const ElidedFile& elided)
      : folder_(std::move(folder)), file_(&file), elided_(&elided) {}

  // A dense constant. Its memory may be shared with others of the same bytes. Errors: those of
  // ExternalFolder::open, kFormat (another length than the tensor needs, the bytes are not in the
  // file, or too many bytes overlap), kIo, kOutOfMemory.
  Result<Constant> find(const ExternalLocation& where, DType type, const Shape& shape);

  // Where that constant is, without its name. Errors: those of find() but kOutOfMemory.
  Result<TensorPlace> place(const ExternalLocation& where, DType type, const Shape& shape) const;

  // Where the elements that `raw_data` stands for are; nothing if it holds the elements themselves.
  std::optional<ElidedFile::Range> find_elided(std::string_view raw_data) const {
    return elided_ == nullptr ? std::nullopt : elided_->find(raw_data);
  }
  // Puts elements that were left out back into their place. Errors: kIo, kFormat.
  Status restore(std::string& raw_data) const;
  // A dense constant of these bytes. Precondition: the range has as many bytes as type and shape
  // take. Errors: kIo, kOutOfMemory.
  Result<Constant> read_elided(const ElidedFile::Range& range, DType type, const Shape& shape) {
    return elided_blobs_.find(*file_, range.offset, type, shape);
  }

 private:
  // The file of the last tensor stays open: most models have one file.
  Result<const FileSource*> open(const std::string& location);

  ExternalFolder folder_;
  const ByteSource* file_ = nullptr;
  const ElidedFile* elided_ = nullptr;
  ConstantBlobs elided_blobs_{"the model's file"};
  std::string open_location_;
  std::optional<FileSource> open_file_;
  std::map<FileSource::Identity, ConstantBlobs> blobs_;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_EXTERNAL_DATA_H_
