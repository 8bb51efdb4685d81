#ifndef WINDROW_TOOLS_WINDROW_OUTPUT_FILES_H_
#define WINDROW_TOOLS_WINDROW_OUTPUT_FILES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "windrow/models.h"

namespace windrow::tool {

// Writes each tensor to `folder`/<name>.<format> ("npy" or "pb") and returns the paths. The folder
// is made if it is not there. All files are written aside and then renamed, so that a failure
// (thrown as Error) leaves no part of a file behind. Characters of a name that a file name should
// not have become '_'.
std::vector<std::filesystem::path> write_outputs(const NamedTensors& tensors,
                                                 const std::filesystem::path& folder,
                                                 const std::string& format);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_OUTPUT_FILES_H_
