#include "src/tables/block_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>

namespace windrow::internal {
namespace {

// The smallest block that any device has.
constexpr std::int64_t kSmallestBlock = 512;

// Without O_NONBLOCK, opening a pipe would wait for its writer.
constexpr int kOpenFlags = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

Status cannot(const char* action, const std::filesystem::path& path) {
  return Status(ErrorCode::kIo, std::string("cannot ") + action + " '" + path.string() +
                                    "': " + std::generic_category().message(errno));
}

// The smallest block that the file's first bytes can be read by past the page cache; 0: none. A
// file without bytes has nothing to read.
std::int64_t find_block(int fd) {
  alignas(kLargestBlock) std::array<std::byte, kLargestBlock> room;
  for (const std::int64_t block : {kSmallestBlock, kLargestBlock})
    if (::pread(fd, room.data(), static_cast<std::size_t>(block), 0) >= 0) return block;
  return 0;
}

}  // namespace

Result<BlockFile> BlockFile::open(const std::filesystem::path& path, std::optional<bool> direct) {
  int fd = direct.value_or(true) ? ::open(path.c_str(), kOpenFlags | O_DIRECT) : -1;
  std::int64_t block = fd < 0 ? 0 : find_block(fd);
  if (fd >= 0 && block == 0) {
    ::close(fd);
    fd = -1;
  }
  if (fd < 0) fd = ::open(path.c_str(), kOpenFlags);
  if (fd < 0) return cannot("open", path);
  BlockFile file(path, fd, 0, block == 0 ? 1 : block, block != 0);
  struct stat info = {};
  if (::fstat(fd, &info) != 0) return cannot("read", path);
  if (!S_ISREG(info.st_mode))
    return Status(ErrorCode::kIo, "'" + path.string() + "' is not a regular file");
  if (direct.value_or(false) && !file.is_direct_)
    return Status(ErrorCode::kUnsupported, "'" + path.string() +
                                               "' cannot be read past the page cache: its file "
                                               "system has no such reads");
  file.size_ = info.st_size;
  return file;
}

BlockFile::~BlockFile() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace windrow::internal
