#ifndef WINDROW_TOOLS_WINDROW_STAGING_FOLDER_H_
#define WINDROW_TOOLS_WINDROW_STAGING_FOLDER_H_

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/windrow/ending_signals.h"

namespace windrow::tool {

// A new folder inside `folder` with a name of its own, accessible to this user only. `folder` is
// made if it is not there and `make_folder` says so. Errors name `target`. At the end of its life,
// and at a signal that ends the process, the new folder goes away with the files in it; so does
// what was made of `folder`, unless keep_folder() or something else stands in it.
class StagingFolder final : private LastAct {
 public:
  // Throws Error (kIo).
  StagingFolder(const std::filesystem::path& folder, bool make_folder,
                const std::filesystem::path& target);
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;
  ~StagingFolder();

  std::filesystem::path path() const { return path_; }
  void keep_folder() noexcept { keeps_folder_ = true; }

 private:
  // False and errno if it can't be made.
  bool make(const std::filesystem::path& folder);
  bool make_parents(const std::filesystem::path& folder);
  void perform() noexcept override;

  std::vector<std::string> made_;  // folders, each inside the one before
  std::string path_;
  int fd_ = -1;  // of path_
  bool keeps_folder_ = false;
  bool gone_ = false;
  std::optional<EndingSignals> signals_;
};

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_STAGING_FOLDER_H_
