#ifndef WINDROW_FORMATS_ONNX_ONNX_FILES_H_
#define WINDROW_FORMATS_ONNX_ONNX_FILES_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "src/formats/aside_file.h"
#include "src/formats/byte_source.h"
#include "src/formats/protobuf/message.h"
#include "src/formats/tensor_place.h"
#include "windrow/models.h"
#include "windrow/status.h"

// Protobuf messages from and to bytes.
namespace windrow::internal {

// Checks that a message has as many bytes as others read, too. Errors: kFormat (no bytes),
// kUnsupported (2 GiB and more).
Status check_message_size(std::int64_t bytes);

// Errors: those of check_message_size(), kFormat (not a message), kIo.
Status parse_message(const FileSource& file, pb::Message& message);
Status parse_message(std::string_view bytes, pb::Message& message);

// Errors: kUnsupported (2 GiB and more), kIo.
Status write_message(const pb::Message& message, AsideFile& file);

// ONNX's files without protobuf in the interface.

// Reads a model in memory. Its external data is in `folder`; with an empty path it may have none.
Result<Model> parse_onnx(std::string_view bytes, const std::filesystem::path& folder);

// Reads a model file and its external data.
Result<Model> read_onnx(const std::filesystem::path& path);

// Finds an initializer of the main graph, or the tensor of one of its Constant nodes, by the name
// of its value. Errors: as for find_tensor().
Result<TensorPlace> place_onnx(const std::filesystem::path& path, const std::string& name);

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
