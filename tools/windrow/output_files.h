#ifndef WINDROW_TOOLS_WINDROW_OUTPUT_FILES_H_
#define WINDROW_TOOLS_WINDROW_OUTPUT_FILES_H_

#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "tools/windrow/console.h"
#include "tools/windrow/staging_folder.h"
#include "windrow/models.h"

namespace windrow::tool {

// Output files of a command. They are written aside, in a folder inside theirs, and get their names
// together: a failure, or a signal that ends the process, leaves what was there, and nothing else.
// A file called "-" is written in the folder of temporary files and copied to standard output when
// all is done. All errors are thrown as Error.
class OutputFiles {
 public:
  enum class Into { kFolder, kFile };

  // What standard output takes of the options (names and values) that name an output: where one is
  // "-", it takes that file alone, and what is printed goes to standard error. Throws Error if two
  // are, if JSON goes there too, or, unless it is text, if it is a terminal.
  enum class Content { kText, kBinary };
  struct Target {
    std::string option;
    std::string file;
    Content content;
  };
  static void check_targets(const std::vector<Target>& targets, Console& console);

  // `path` is a folder that takes the files and is made if it is not there, or the one file itself,
  // whose folder must be there. `ending` is that of a file for standard output, ".npy".
  OutputFiles(const std::filesystem::path& path, Into into, std::string ending = {});

  // Each tensor is <folder>/<name>.<format> ("npy" or "pb"). Characters of a name that a file name
  // should not have become '_'.
  void add(const NamedTensors& tensors, const std::string& format);
  // Adds one tensor as the file `path` in the folder. `name` is stored where the file can hold it.
  void add(const Tensor& tensor, const std::filesystem::path& path, const std::string& name);
  // Adds all tensors as one archive, .npz or .safetensors.
  void add_archive(const NamedTensors& tensors, const std::filesystem::path& path);

  // Adds a text as the file `path` in the folder.
  void add_text(std::string_view text, const std::filesystem::path& path);

  // Where the file `path` is written: itself, or the temporary file for standard output, which
  // others may write, too.
  std::filesystem::path target_of(const std::filesystem::path& path) const;

  // In the order of add().
  const std::vector<std::filesystem::path>& paths() const noexcept { return paths_; }

  // Adds a model as the file `path` in the folder, with the files that belong to it.
  void add_model(const Model& model, const std::filesystem::path& path);

  // Gives all files their names: all or none. Then copies the one for standard output.
  void commit();
  // Commits several, some of which may be null; a signal takes effect before or after all of them.
  // An error leaves the files of those already committed.
  static void commit_all(std::initializer_list<OutputFiles*> all);

 private:
  void note_added(const Status& saved, const std::filesystem::path& path);
  void copy_to_standard_output() const;

  std::filesystem::path folder_;
  std::string for_stream_;   // the name of a file for standard output, in the staging folder
  bool has_stream_ = false;  // whether there is one
  StagingFolder staging_;
  TensorFiles files_;
  std::vector<std::filesystem::path> paths_;
};

// How reports call an output that a command line names.
std::string shown_output(const std::string& text);

// For options that name an output: an error message for an empty name, else nothing.
std::string refuse_empty_name(const std::string& name);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_OUTPUT_FILES_H_
