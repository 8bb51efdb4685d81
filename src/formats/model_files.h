#ifndef WINDROW_FORMATS_MODEL_FILES_H_
#define WINDROW_FORMATS_MODEL_FILES_H_

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "src/formats/aside_file.h"
#include "windrow/models.h"
#include "windrow/status.h"

namespace windrow::internal {

// Appends the files of a model to `files`, written aside in `folder` (as AsideFile::create() takes
// it), in the order in which they are to get their names. Arguments and errors otherwise as for
// save_model().
Status stage_model(const Model& model, const std::filesystem::path& path,
                   const std::string& external_data, const std::filesystem::path& folder,
                   std::vector<AsideFile>& files);

// Calls commit_all() for these files.
Status commit_files(std::vector<AsideFile>& files);

// The number of bytes that decide which format a file has.
inline constexpr std::size_t kDecidingBytes = 512;

// A sentence that names the format of a file which is not a model of ONNX or OpenVINO, and says
// what to give instead; empty for an unknown one. `start`: the first bytes of the file, at most
// kDecidingBytes. A valid ONNX model may begin like such a file, so this is for files that could
// not be read.
std::string_view foreign_format(std::string_view start);

// The error of reading the model at `path`, a file or a folder. Its message is the sentence of
// foreign_format(), or of the format that the name says, where there is one (kFormat). Otherwise
// returns `error` as it is.
Status with_foreign_format(Status error, const std::filesystem::path& path);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_MODEL_FILES_H_
