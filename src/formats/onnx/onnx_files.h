#ifndef WINDROW_FORMATS_ONNX_ONNX_FILES_H_
#define WINDROW_FORMATS_ONNX_ONNX_FILES_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "src/formats/aside_file.h"
#include "src/formats/byte_source.h"
#include "windrow/models.h"

// ONNX's files without protobuf in the interface.
namespace windrow::internal {

// Reads a model in memory. Its external data is in `folder`; with an empty path it may have none.
Result<Model> parse_onnx(std::string_view bytes, const std::filesystem::path& folder);

// Reads a model file and its external data.
Result<Model> read_onnx(const std::filesystem::path& path);

// Appends the files of a model to `files`, written aside in `folder` (as AsideFile::create() takes
// it) for the name `path`; `external_data` as for save_model.
Status stage_onnx(const Model& model, const std::filesystem::path& path,
                  const std::string& external_data, const std::filesystem::path& folder,
                  std::vector<AsideFile>& files);

// Read a TensorProto from a file at `path` or from memory.
Result<NamedTensor> read_tensor_file(const FileSource& file, const std::filesystem::path& path);
Result<NamedTensor> parse_tensor(std::string_view bytes, const std::filesystem::path& folder);

Status write_tensor_file(const TensorView& tensor, const std::string& name, AsideFile& file);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_ONNX_FILES_H_
