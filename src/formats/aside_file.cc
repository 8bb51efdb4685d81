#include "src/formats/aside_file.h"

#include <fcntl.h>
#include <linux/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "src/formats/byte_source.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

constexpr int kMostNames = 1000;  // tried before giving up

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : ".";
}

// ".windrow-0123456789abcdef.part". A file system that takes the file's own name takes this one
// too.
std::string random_name() {
  std::uint64_t bits = 0;
  // Old C libraries have no function for it.
  if (::syscall(SYS_getrandom, &bits, sizeof bits, GRND_NONBLOCK) != sizeof bits)
    bits = static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  char text[40];
  std::snprintf(text, sizeof text, ".windrow-%016llx.part", static_cast<unsigned long long>(bits));
  return text;
}

// The path at which an open file without a name can be found and linked.
std::string open_file_path(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

// Returns a negative number where the file system does not support files without names, or where
// the process has no /proc.
int open_nameless(const std::filesystem::path& folder, mode_t mode) {
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  if (fd < 0 || ::access(open_file_path(fd).c_str(), F_OK) == 0) return fd;
  ::close(fd);
  return -1;
}

// Checks that `path` names nothing, a regular file or a link: only these may be replaced.
Status check_replaceable(const std::filesystem::path& path) {
  struct stat info = {};
  if (::lstat(path.c_str(), &info) != 0) {
    return errno == ENOENT ? Status() : system_error("write", path);
  }
  if (S_ISREG(info.st_mode) || S_ISLNK(info.st_mode)) return {};
  return io_error(
      "cannot write ", quoted(path),
      (S_ISDIR(info.st_mode) ? ": a folder has this name" : ": it is not a regular file"));
}

// Copies owner, group and permissions of the replaced file as far as this user is allowed to.
void take_mode(int fd, const struct stat& replaced) {
  mode_t mode = replaced.st_mode & 0777;
  struct stat own = {};
  const bool same =
      ::fstat(fd, &own) == 0 && own.st_uid == replaced.st_uid && own.st_gid == replaced.st_gid;
  // The group's permissions must not pass to another group.
  if (!same && ::fchown(fd, replaced.st_uid, replaced.st_gid) != 0 &&
      ::fchown(fd, static_cast<uid_t>(-1), replaced.st_gid) != 0)
    mode = (mode & ~mode_t{070}) | (mode & mode_t{07}) << 3;
  // A file system without permissions refuses this, which does no harm.
  static_cast<void>(::fchmod(fd, mode));
}

// Makes sure that the rename is on the disk. A file system that cannot sync a folder is not an
// error.
void sync_folder(const std::filesystem::path& path) noexcept {
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  static_cast<void>(::fsync(fd));
  ::close(fd);
}

}  // namespace

AsideFile::AsideFile(std::filesystem::path path, std::filesystem::path aside, int fd, bool named)
    : path_(std::move(path)), aside_(std::move(aside)), fd_(fd), named_(named) {}

AsideFile::AsideFile(AsideFile&& other) noexcept
    : path_(std::move(other.path_)),
      aside_(std::move(other.aside_)),
      kept_(std::move(other.kept_)),
      fd_(std::exchange(other.fd_, -1)),
      named_(std::exchange(other.named_, false)),
      committed_(other.committed_),
      has_kept_(std::exchange(other.has_kept_, false)),
      size_(other.size_) {}

AsideFile::~AsideFile() {
  if (fd_ >= 0) ::close(fd_);
  if (named_) ::unlink(aside_.c_str());
}

Result<AsideFile> AsideFile::create(const std::filesystem::path& path,
                                    const std::filesystem::path& folder) {
  if (Status status = check_replaceable(path); !status) return status;
  struct stat replaced = {};
  const bool replaces = ::stat(path.c_str(), &replaced) == 0;
  const mode_t mode = replaces ? 0600 : 0666;
  const std::filesystem::path stands_in = folder.empty() ? folder_of(path) : folder;
  std::filesystem::path aside = stands_in / random_name();
  int fd = open_nameless(stands_in, mode);
  const bool named = fd < 0;
  for (int i = 0; fd < 0; ++i) {
    fd = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd < 0 && (errno != EEXIST || i == kMostNames)) return system_error("write", path);
    if (fd < 0) aside = stands_in / random_name();
  }
  if (replaces) take_mode(fd, replaced);
  return AsideFile(path, std::move(aside), fd, named);
}

Status AsideFile::write(const void* bytes, std::int64_t count) {
  const SizeSignalHeld held;
  const auto* from = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t written = ::write(fd_, from, static_cast<std::size_t>(count));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error("write", path_);
    from += written;
    count -= written;
    size_ += written;
  }
  return {};
}

Status AsideFile::finish() {
  if (fd_ < 0) return {};
  kept_ = aside_;
  kept_.replace_extension(".old");
  const std::string open_file = open_file_path(fd_);
  // Not every file can be synced.
  bool done = ::fsync(fd_) == 0 || errno == EINVAL || errno == ENOTSUP;
  for (int i = 0; done && !named_; ++i) {
    named_ =
        ::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, aside_.c_str(), AT_SYMLINK_FOLLOW) == 0;
    done = named_ || (errno == EEXIST && i < kMostNames);
    if (done && !named_) aside_.replace_filename(random_name());
  }
  Status status = done ? Status() : system_error("write", path_);
  if (::close(std::exchange(fd_, -1)) != 0 && status) status = system_error("write", path_);
  return status;
}

// Gives the file its name. With `keep`, the file that it replaces gets another name, so that it can
// be brought back.
Status AsideFile::rename_keeping(bool keep) {
  if (keep) {
    // A hard link leaves the file in its place until the rename; not all file systems have them.
    has_kept_ = ::link(path_.c_str(), kept_.c_str()) == 0 ||
                (errno != ENOENT && ::rename(path_.c_str(), kept_.c_str()) == 0);
    if (!has_kept_ && errno != ENOENT) return system_error("write", path_);
  }
  committed_ = ::rename(aside_.c_str(), path_.c_str()) == 0;
  if (!committed_) return system_error("write", path_);
  named_ = false;
  return {};
}

void AsideFile::forget_kept() noexcept {
  if (std::exchange(has_kept_, false)) ::unlink(kept_.c_str());
}

void AsideFile::bring_back() noexcept {
  if (committed_ && !has_kept_) ::unlink(path_.c_str());
  if (has_kept_) ::rename(kept_.c_str(), path_.c_str());
  committed_ = false;
  forget_kept();  // the rename of one name of a file to another does nothing
}

Status commit_all(std::span<AsideFile* const> files) {
  std::vector<std::filesystem::path> folders;
  for (AsideFile* const file : files) {
    if (Status status = file->finish(); !status) return status;
    if (Status status = check_replaceable(file->path_); !status) return status;
    folders.push_back(folder_of(file->path_));
  }
  // An exception brings them back as well: describing an error takes memory.
  struct BringBack {
    std::span<AsideFile* const> files;
    ~BringBack() {
      for (AsideFile* const file : files) file->bring_back();
    }
  } undo{files};
  for (AsideFile* const file : files) {
    const bool keep = file != files.back();  // after the last one nothing can fail
    if (Status status = file->rename_keeping(keep); !status) return status;
  }
  undo.files = {};
  for (AsideFile* const file : files) file->forget_kept();
  for (const std::filesystem::path& folder : folders) sync_folder(folder);
  return {};
}

}  // namespace windrow::internal
