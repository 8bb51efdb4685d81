#ifndef WINDROW_TOOLS_WINDROW_OUTPUT_FILES_H_
#define WINDROW_TOOLS_WINDROW_OUTPUT_FILES_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tools/windrow/staging_folder.h"
#include "windrow/models.h"

namespace windrow::tool {

// Output files of a command. They are written aside, in a folder inside theirs, and get their names
// together: a failure, or a signal that ends the process, leaves what was there, and nothing else.
// All errors are thrown as Error.
class OutputFiles {
 public:
  enum class Into { kFolder, kFile };

  // `path` is a folder that takes the files and is made if it is not there, or the one file itself,
  // whose folder must be there.
  OutputFiles(const std::filesystem::path& path, Into into);

  // Each tensor is <folder>/<name>.<format> ("npy" or "pb"). Characters of a name that a file name
  // should not have become '_'.
  void add(const NamedTensors& tensors, const std::string& format);
  // One tensor as the file `path` in the folder. `name` is stored where the file can hold it.
  void add(const Tensor& tensor, const std::filesystem::path& path, const std::string& name);

  // A text as the file `path` in the folder.
  void add_text(std::string_view text, const std::filesystem::path& path);

  // In the order of add().
  const std::vector<std::filesystem::path>& paths() const noexcept { return paths_; }

  // A model as the file `path` in the folder, and what belongs to it beside that.
  void add_model(const Model& model, const std::filesystem::path& path);

  // Gives all files their names: all or none.
  void commit();

 private:
  void note_added(const Status& saved, const std::filesystem::path& path);

  std::filesystem::path folder_;
  StagingFolder staging_;
  TensorFiles files_;
  std::vector<std::filesystem::path> paths_;
};

// For options that name an output: an error message for an empty name, else nothing.
std::string refuse_empty_name(const std::string& name);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_OUTPUT_FILES_H_
