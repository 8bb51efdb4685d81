#include "src/formats/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include "src/models/text.h"

namespace windrow::internal {
namespace {

Status read_error() { return io_error("cannot read: ", std::generic_category().message(errno)); }

}  // namespace

Status check_range(std::int64_t offset, std::int64_t bytes, std::int64_t size) {
  if (offset >= 0 && bytes >= 0 && offset <= size && bytes <= size - offset) return {};
  return format_error("the file ends early: expected ", bytes, " bytes from byte ", offset,
                      ", the file has ", size);
}

Result<std::string> ByteSource::read_bytes(std::int64_t offset, std::int64_t bytes) const {
  std::string content(static_cast<std::size_t>(bytes), '\0');
  if (Status status = read(offset, content.data(), bytes); !status) return status;
  return content;
}

std::string quoted(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

Status system_error(std::string_view action, const std::filesystem::path& path) {
  const std::string reason = std::generic_category().message(errno);
  return io_error("cannot ", action, " ", quoted(path), ": ", reason);
}

Result<FileSource> FileSource::open(const std::filesystem::path& path) {
  // Without O_NONBLOCK, opening a pipe would wait for its writer.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return system_error("open", path);
  struct stat info = {};
  if (::fstat(fd, &info) != 0) {
    const Status error = system_error("read", path);
    ::close(fd);
    return error;
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(fd);
    return io_error(quoted(path), (S_ISDIR(info.st_mode) ? " is a folder, not a file"
                                                         : " is not a regular file"));
  }
  return FileSource(fd, info.st_size, {info.st_dev, info.st_ino},
                    {info.st_mtim.tv_sec, info.st_mtim.tv_nsec});
}

FileSource::~FileSource() {
  if (fd_ >= 0) ::close(fd_);
}

Status FileSource::read(std::int64_t offset, void* to, std::int64_t bytes) const {
  if (Status status = check_range(offset, bytes, size_); !status) return status;
  auto* target = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = ::pread(fd_, target, static_cast<std::size_t>(bytes), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return read_error();
    if (got == 0) return format_error("the file was cut while it was read");
    target += got;
    offset += got;
    bytes -= got;
  }
  return must_not_change_ ? check_is_the_same() : Status();
}

Status FileSource::check_size_is_the_same() const {
  struct stat info = {};
  if (::fstat(fd_, &info) != 0) return read_error();
  if (info.st_size == size_) return {};
  return format_error("the file was ", info.st_size < size_ ? "cut" : "extended",
                      " while it was read: it had ", size_, " bytes, now it has ", info.st_size);
}

Status FileSource::check_is_the_same() const {
  if (Status status = check_size_is_the_same(); !status) return status;
  struct stat info = {};
  if (::fstat(fd_, &info) == 0 && Time{info.st_mtim.tv_sec, info.st_mtim.tv_nsec} == changed_)
    return {};
  return format_error("the file was written to after the model was opened");
}

std::shared_ptr<const ByteSource> FileSource::share() const {
  const int fd = ::fcntl(fd_, F_DUPFD_CLOEXEC, 0);
  if (fd < 0) return nullptr;
  auto shared = std::make_shared<FileSource>(FileSource(fd, size_, identity_, changed_));
  shared->must_not_change_ = true;
  return shared;
}

Status MemorySource::read(std::int64_t offset, void* to, std::int64_t bytes) const {
  if (Status status = check_range(offset, bytes, size()); !status) return status;
  std::copy_n(bytes_.data() + offset, bytes, static_cast<char*>(to));
  return {};
}

}  // namespace windrow::internal
