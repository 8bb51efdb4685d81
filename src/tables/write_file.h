#ifndef WINDROW_TABLES_WRITE_FILE_H_
#define WINDROW_TABLES_WRITE_FILE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "windrow/status.h"

namespace windrow::internal {

// A file that is written. SystemFile is the system's; the tests have twins that fail, and that lose
// what was not synced. Errors of all functions: kIo, with the file's name.
class WriteFile {
 public:
  virtual ~WriteFile() = default;
  // "'table.npy'": how messages name it.
  virtual std::string name() const = 0;
  virtual Result<std::int64_t> size() = 0;
  // Reads all of `to`; a file that ends before is an error.
  virtual Status read(std::int64_t offset, std::span<std::byte> to) = 0;
  // Writes all of `from`. After an error any part of it may have been written.
  virtual Status write(std::int64_t offset, std::span<const std::byte> from) = 0;
  // Makes the file at least `bytes` bytes long, and all of them writable without another byte of
  // the disk, where the file system can do so.
  virtual Status reserve(std::int64_t bytes) = 0;
  virtual Status resize(std::int64_t bytes) = 0;
  // Returns when everything that was written before survives a loss of power.
  virtual Status sync() = 0;
  // Whether this process may write up to byte `end` (RLIMIT_FSIZE).
  virtual Status check_limit(std::int64_t end) = 0;
};

// A regular file of the system, open for reading and writing.
class SystemFile final : public WriteFile {
 public:
  // What a sync is for.
  enum class Syncs : std::uint8_t {
    kContent,         // the bytes, and the size as far as they need it
    kContentAndSize,  // both
  };
  // Errors: kIo (the file cannot be opened for writing, or is not a regular one).
  static Result<std::unique_ptr<SystemFile>> open(const std::filesystem::path& path);
  // The same for reading alone: what changes the file fails.
  static Result<std::unique_ptr<SystemFile>> open_for_reading(const std::filesystem::path& path);
  // Opens the file, or makes it with the permissions `mode`, and syncs its folder: a loss of power
  // does not take the name away. Errors as for open().
  static Result<std::unique_ptr<SystemFile>> open_or_make(const std::filesystem::path& path,
                                                          unsigned mode);

  SystemFile(const SystemFile&) = delete;
  SystemFile& operator=(const SystemFile&) = delete;
  ~SystemFile() override;

  const std::filesystem::path& path() const noexcept { return path_; }
  int fd() const noexcept { return fd_; }

  std::string name() const override;
  Result<std::int64_t> size() override;
  Status read(std::int64_t offset, std::span<std::byte> to) override;
  Status write(std::int64_t offset, std::span<const std::byte> from) override;
  Status reserve(std::int64_t bytes) override;
  Status resize(std::int64_t bytes) override;
  Status sync() override;
  Status check_limit(std::int64_t end) override;

 private:
  SystemFile(std::filesystem::path path, int fd, Syncs syncs) noexcept
      : path_(std::move(path)), fd_(fd), syncs_(syncs) {}
  static Result<std::unique_ptr<SystemFile>> adopt(const std::filesystem::path& path, int fd,
                                                   Syncs syncs);
  Status failed(const char* action, int error) const;

  std::filesystem::path path_;
  int fd_;
  Syncs syncs_;
};

}  // namespace windrow::internal

#endif  // WINDROW_TABLES_WRITE_FILE_H_
