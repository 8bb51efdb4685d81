#include "src/formats/aside_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <string>
#include <utility>

#include "src/formats/byte_source.h"

namespace windrow::internal {
namespace {

std::filesystem::path aside_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> counter = 0;
  std::filesystem::path aside = path;
  aside.replace_filename("." + path.filename().string() + "." + std::to_string(::getpid()) + "-" +
                         std::to_string(counter++) + ".part");
  return aside;
}

}  // namespace

AsideFile::AsideFile(std::filesystem::path path, std::filesystem::path aside, int fd)
    : path_(std::move(path)), aside_(std::move(aside)), fd_(fd) {}

AsideFile::AsideFile(AsideFile&& other) noexcept
    : path_(std::move(other.path_)),
      aside_(std::move(other.aside_)),
      fd_(std::exchange(other.fd_, -1)),
      size_(other.size_) {}

AsideFile::~AsideFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(aside_.c_str());
}

Result<AsideFile> AsideFile::create(const std::filesystem::path& path) {
  while (true) {
    std::filesystem::path aside = aside_name(path);
    const int fd = ::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0) return AsideFile(path, std::move(aside), fd);
    if (errno != EEXIST) return system_error("write", path);
  }
}

Status AsideFile::write(const void* bytes, std::int64_t count) {
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

Status AsideFile::commit() {
  const int fd = std::exchange(fd_, -1);
  Status status;
  if (::close(fd) != 0 || std::rename(aside_.c_str(), path_.c_str()) != 0) {
    status = system_error("write", path_);
    ::unlink(aside_.c_str());
  }
  return status;
}

}  // namespace windrow::internal
