#include "src/tables/write_file.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "src/formats/byte_source.h"

namespace windrow::internal {
namespace {

// Without O_NONBLOCK, opening a pipe would wait for its reader.
constexpr int kWriteFlags = O_RDWR | O_CLOEXEC | O_NONBLOCK;

// Repeats a call of the system that a signal ended.
template <class Call>
auto repeat(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

Status write_error(const char* action, const std::filesystem::path& path, int error) {
  return Status(ErrorCode::kIo, std::string("cannot ") + action + " '" + path.string() +
                                    "': " + std::generic_category().message(error));
}

Status sync_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return write_error("sync", folder, errno);
  // Some file systems have folders that cannot be synced; these keep names by themselves.
  const bool done = repeat([&] { return ::fsync(fd); }) == 0 || errno == EINVAL;
  const int error = errno;
  ::close(fd);
  return done ? Status() : write_error("sync", folder, error);
}

}  // namespace

Result<std::unique_ptr<SystemFile>> SystemFile::adopt(const std::filesystem::path& path, int fd,
                                                      Syncs syncs) {
  std::unique_ptr<SystemFile> file(new SystemFile(path, fd, syncs));
  struct stat info = {};
  if (::fstat(fd, &info) != 0) return file->failed("open", errno);
  if (!S_ISREG(info.st_mode))
    return Status(ErrorCode::kIo, file->name() + " is not a regular file");
  return file;
}

Result<std::unique_ptr<SystemFile>> SystemFile::open(const std::filesystem::path& path) {
  const int fd = repeat([&] { return ::open(path.c_str(), kWriteFlags); });
  if (fd < 0) return write_error("write", path, errno);
  return adopt(path, fd, Syncs::kContent);
}

Result<std::unique_ptr<SystemFile>> SystemFile::open_for_reading(
    const std::filesystem::path& path) {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
  const int fd = repeat([&] { return ::open(path.c_str(), kFlags); });
  if (fd < 0) return write_error("read", path, errno);
  return adopt(path, fd, Syncs::kContent);
}

Result<std::unique_ptr<SystemFile>> SystemFile::open_or_make(const std::filesystem::path& path,
                                                             unsigned mode) {
  // A link of this name may lead anywhere.
  constexpr int kFlags = kWriteFlags | O_NOFOLLOW;
  int fd = repeat([&] { return ::open(path.c_str(), kFlags); });
  if (fd < 0 && errno == ENOENT)
    fd = repeat([&] { return ::open(path.c_str(), kFlags | O_CREAT | O_EXCL, mode); });
  if (fd < 0) return write_error("write", path, errno);
  auto file = adopt(path, fd, Syncs::kContentAndSize);
  if (!file) return file;
  // Also where it was there: whoever made it may have been ended before this.
  if (Status status = sync_folder_of(path); !status) return status;
  return file;
}

SystemFile::~SystemFile() { ::close(fd_); }

std::string SystemFile::name() const { return "'" + path_.string() + "'"; }

Status SystemFile::failed(const char* action, int error) const {
  return write_error(action, path_, error);
}

Result<std::int64_t> SystemFile::size() {
  struct stat info = {};
  if (::fstat(fd_, &info) != 0) return failed("read", errno);
  return static_cast<std::int64_t>(info.st_size);
}

Status SystemFile::read(std::int64_t offset, std::span<std::byte> to) {
  while (!to.empty()) {
    const ssize_t got = repeat([&] { return ::pread(fd_, to.data(), to.size(), offset); });
    if (got < 0) return failed("read", errno);
    if (got == 0) return Status(ErrorCode::kIo, name() + " ends at byte " + std::to_string(offset));
    to = to.subspan(static_cast<std::size_t>(got));
    offset += got;
  }
  return {};
}

Status SystemFile::write(std::int64_t offset, std::span<const std::byte> from) {
  const SizeSignalHeld held;
  while (!from.empty()) {
    const ssize_t put = repeat([&] { return ::pwrite(fd_, from.data(), from.size(), offset); });
    if (put < 0) return failed("write", errno);
    if (put == 0) return failed("write", EIO);
    from = from.subspan(static_cast<std::size_t>(put));
    offset += put;
  }
  return {};
}

Status SystemFile::reserve(std::int64_t bytes) {
  const SizeSignalHeld held;
  int error = EINTR;
  while (error == EINTR) error = ::posix_fallocate(fd_, 0, bytes);
  // Some C libraries do not allocate where the file system cannot.
  if (error == EOPNOTSUPP) return resize(bytes);
  return error == 0 ? Status() : failed("write", error);
}

Status SystemFile::resize(std::int64_t bytes) {
  const SizeSignalHeld held;
  if (repeat([&] { return ::ftruncate(fd_, bytes); }) != 0) return failed("write", errno);
  return {};
}

Status SystemFile::sync() {
  const int result =
      repeat([&] { return syncs_ == Syncs::kContentAndSize ? ::fsync(fd_) : ::fdatasync(fd_); });
  return result == 0 ? Status() : failed("sync", errno);
}

Status SystemFile::check_limit(std::int64_t end) {
  struct rlimit limit = {};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  return static_cast<std::uint64_t>(end) <= limit.rlim_cur ? Status() : failed("write", EFBIG);
}

}  // namespace windrow::internal
