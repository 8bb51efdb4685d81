#include "tools/windrow/staging_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "tools/windrow/console.h"

namespace windrow::tool {
namespace {

namespace fs = std::filesystem;

// System calls alone: a signal handler calls it.
void remove_files(int folder) noexcept {
  alignas(dirent64) char entries[4096];
  while (true) {
    lseek(folder, 0, SEEK_SET);
    bool removed = false;
    const ssize_t bytes = getdents64(folder, entries, sizeof entries);
    for (ssize_t at = 0; at < bytes;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(entries + at);
      removed = unlinkat(folder, entry->d_name, 0) == 0 || removed;
      at += entry->d_reclen;
    }
    if (!removed) return;
  }
}

}  // namespace

StagingFolder::StagingFolder(const fs::path& folder, bool make_folder, const fs::path& target) {
  const EndingSignalsHeld held;
  signals_.emplace(static_cast<LastAct&>(*this));
  try {
    if ((make_folder && !make_parents(folder)) || !make(folder)) {
      const std::string reason = std::generic_category().message(errno);
      fail(ErrorCode::kIo, fmt::format("cannot write '{}': {}", target.string(), reason));
    }
  } catch (...) {
    perform();
    throw;
  }
}

StagingFolder::~StagingFolder() {
  const EndingSignalsHeld held;
  perform();
  signals_.reset();
}

bool StagingFolder::make(const fs::path& folder) {
  std::string name = (folder / ".windrow-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return false;
  path_.swap(name);
  fd_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return fd_ >= 0;
}

bool StagingFolder::make_parents(const fs::path& folder) {
  fs::path part;
  for (const fs::path& name : folder) {
    part /= name;
    std::string made = part.string();
    made_.reserve(made_.size() + 1);
    if (mkdir(made.c_str(), 0777) == 0) {
      made_.push_back(std::move(made));
    } else if (const int error = errno; access(made.c_str(), F_OK) != 0) {
      errno = error;
      return false;
    }
  }
  return true;
}

void StagingFolder::perform() noexcept {
  if (gone_) return;
  gone_ = true;
  if (fd_ >= 0) {
    remove_files(fd_);
    close(fd_);
  }
  if (!path_.empty()) rmdir(path_.c_str());
  if (keeps_folder_) return;
  for (auto made = made_.rbegin(); made != made_.rend(); ++made) rmdir(made->c_str());
}

}  // namespace windrow::tool
