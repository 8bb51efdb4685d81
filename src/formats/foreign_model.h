#ifndef WINDROW_FORMATS_FOREIGN_MODEL_H_
#define WINDROW_FORMATS_FOREIGN_MODEL_H_

#include <cstddef>
#include <filesystem>
#include <string_view>

#include "windrow/status.h"

namespace windrow::internal {

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

#endif  // WINDROW_FORMATS_FOREIGN_MODEL_H_
