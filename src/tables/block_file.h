#ifndef WINDROW_TABLES_BLOCK_FILE_H_
#define WINDROW_TABLES_BLOCK_FILE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

#include "windrow/status.h"

namespace windrow::internal {

// What reads past the page cache are aligned to where a file system does not say less: their places
// in the file, their lengths, and their places in memory.
inline constexpr std::int64_t kLargestBlock = 4096;

// An open regular file of which blocks are read. It is never mapped: a file that is cut meanwhile
// is an error, not a signal.
class BlockFile {
 public:
  // `direct`: whether reads go past the page cache; absent: where the file system can do so.
  // Errors: kIo (the file cannot be opened, or is not a regular one), kUnsupported (`direct` is
  // true and the file system has no such reads).
  static Result<BlockFile> open(const std::filesystem::path& path, std::optional<bool> direct);

  BlockFile(BlockFile&& other) noexcept
      : path_(std::move(other.path_)),
        fd_(std::exchange(other.fd_, -1)),
        size_(other.size_),
        block_(other.block_),
        is_direct_(other.is_direct_) {}
  BlockFile(const BlockFile&) = delete;
  BlockFile& operator=(const BlockFile&) = delete;
  BlockFile& operator=(BlockFile&&) = delete;
  ~BlockFile();

  const std::filesystem::path& path() const noexcept { return path_; }
  int fd() const noexcept { return fd_; }
  // In bytes, when it was opened.
  std::int64_t size() const noexcept { return size_; }
  // Whether reads go past the page cache.
  bool is_direct() const noexcept { return is_direct_; }
  // Reads begin and end at multiples of this number of bytes; a power of two, 1 without
  // is_direct().
  std::int64_t block() const noexcept { return block_; }

 private:
  BlockFile(std::filesystem::path path, int fd, std::int64_t size, std::int64_t block,
            bool is_direct) noexcept
      : path_(std::move(path)), fd_(fd), size_(size), block_(block), is_direct_(is_direct) {}

  std::filesystem::path path_;
  int fd_;
  std::int64_t size_;
  std::int64_t block_;
  bool is_direct_;
};

}  // namespace windrow::internal

#endif  // WINDROW_TABLES_BLOCK_FILE_H_
