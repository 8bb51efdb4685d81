#ifndef WINDROW_FORMATS_MODEL_FILES_H_
#define WINDROW_FORMATS_MODEL_FILES_H_

#include <filesystem>
#include <string>
#include <vector>

#include "src/formats/aside_file.h"
#include "windrow/models.h"

namespace windrow::internal {

// Appends the files of a model to `files`, written aside in `folder` (as AsideFile::create() takes
// it), in the order in which they are to get their names. Arguments and errors otherwise as for
// save_model().
Status stage_model(const Model& model, const std::filesystem::path& path,
                   const std::string& external_data, const std::filesystem::path& folder,
                   std::vector<AsideFile>& files);

// Calls commit_all() for these files.
Status commit_files(std::vector<AsideFile>& files);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_MODEL_FILES_H_
