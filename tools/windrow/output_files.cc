#include "tools/windrow/output_files.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstddef>
#include <set>
#include <system_error>

#include "tools/windrow/console.h"

namespace windrow::tool {
namespace {

namespace fs = std::filesystem;

std::string file_stem(const std::string& name) {
  std::string stem = name;
  for (char& c : stem) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  // A leading dot would hide the file.
  if (stem.empty() || stem[0] == '.') stem.insert(0, "_");
  return stem;
}

// One file name per tensor, no two the same.
std::vector<std::string> file_names(const NamedTensors& tensors, const std::string& format) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors) {
    const std::string stem = file_stem(name);
    std::string file = stem + "." + format;
    for (int i = 2; !taken.insert(file).second; ++i)
      file = fmt::format("{}_{}.{}", stem, i, format);
    names.push_back(file);
  }
  return names;
}

void require(const std::error_code& error, const fs::path& path) {
  if (error) fail(ErrorCode::kIo, fmt::format("{}: {}", path.string(), error.message()));
}

// A folder inside `folder` that goes away at the end, with `folder` itself if that was made for it
// and stays empty.
class StagingFolder {
 public:
  explicit StagingFolder(const fs::path& folder) : folder_(folder) {
    std::error_code error;
    made_ = fs::create_directories(folder, error);
    require(error, folder);
    path_ = folder / fmt::format(".windrow-{}", getpid());
    fs::create_directory(path_, error);
    if (error && made_) {
      std::error_code ignored;
      fs::remove(folder_, ignored);
    }
    require(error, folder);
  }
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;
  ~StagingFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    if (made_) fs::remove(folder_, ignored);
  }

  const fs::path& path() const noexcept { return path_; }

 private:
  fs::path folder_;
  fs::path path_;
  bool made_ = false;
};

}  // namespace

std::vector<fs::path> write_outputs(const NamedTensors& tensors, const fs::path& folder,
                                    const std::string& format) {
  const std::vector<std::string> names = file_names(tensors, format);
  const StagingFolder staging(folder);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const Status saved =
        save_tensor(tensors[i].second, staging.path() / names[i], tensors[i].first);
    if (!saved) throw Error(saved.with_context(fmt::format("output '{}'", tensors[i].first)));
  }
  std::vector<fs::path> paths;
  for (const std::string& name : names) {
    std::error_code error;
    fs::rename(staging.path() / name, folder / name, error);
    require(error, folder / name);
    paths.push_back(folder / name);
  }
  return paths;
}

}  // namespace windrow::tool
