#ifndef WINDROW_FORMATS_BYTE_SOURCE_H_
#define WINDROW_FORMATS_BYTE_SOURCE_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "windrow/status.h"

namespace windrow::internal {

// Bytes of known size that can be read from any position.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::int64_t size() const noexcept = 0;
  // Reads exactly `bytes` bytes. Errors: kFormat (the range is not inside the source), kIo.
  virtual Status read(std::int64_t offset, void* to, std::int64_t bytes) const = 0;
  // The same bytes as a string. Precondition: `bytes` is not negative.
  Result<std::string> read_bytes(std::int64_t offset, std::int64_t bytes) const;
  // A source of the same bytes that outlives this one; null where there is none and the bytes must
  // be read now. Reading from it is an error (kFormat) once the file has changed.
  virtual std::shared_ptr<const ByteSource> share() const { return nullptr; }
};

// A regular file. It is read, never mapped: a file that is cut while it is read is an error
// (kFormat), not a signal.
class FileSource final : public ByteSource {
 public:
  // Errors: kIo if the file does not exist, cannot be read, or is not a regular file.
  static Result<FileSource> open(const std::filesystem::path& path);

  FileSource(FileSource&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        size_(other.size_),
        identity_(std::move(other.identity_)),
        changed_(other.changed_),  // NOLINT: a pair of numbers
        must_not_change_(other.must_not_change_) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  FileSource& operator=(FileSource&&) = delete;
  ~FileSource() override;

  std::int64_t size() const noexcept override { return size_; }
  Status read(std::int64_t offset, void* to, std::int64_t bytes) const override;
  // The file stays open as long as the returned source.
  std::shared_ptr<const ByteSource> share() const override;
  int fd() const noexcept { return fd_; }
  // Checks that the file still has the size that it had when it was opened. Errors: kFormat, kIo.
  Status check_size_is_the_same() const;
  // Checks the size, and that the file has not been written to since. Errors: kFormat, kIo.
  Status check_is_the_same() const;
  // Device and inode number, which are the same for all names of one file.
  using Identity = std::pair<std::uint64_t, std::uint64_t>;
  const Identity& identity() const noexcept { return identity_; }

 private:
  using Time = std::pair<std::int64_t, std::int64_t>;  // seconds, nanoseconds
  FileSource(int fd, std::int64_t size, const Identity& identity, const Time& changed) noexcept
      : fd_(fd), size_(size), identity_(identity), changed_(changed) {}

  int fd_;
  std::int64_t size_;
  Identity identity_;
  Time changed_;                  // when it was written to last
  bool must_not_change_ = false;  // reading it is an error once it has been written to
};

// Bytes in memory, which must outlive the source.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) noexcept : bytes_(bytes) {}
  std::int64_t size() const noexcept override { return static_cast<std::int64_t>(bytes_.size()); }
  Status read(std::int64_t offset, void* to, std::int64_t bytes) const override;

 private:
  std::string_view bytes_;
};

// Checks that a range lies inside a file of `size` bytes. Errors: kFormat.
Status check_range(std::int64_t offset, std::int64_t bytes, std::int64_t size);

// "'model.onnx'": how messages name a file.
std::string quoted(const std::filesystem::path& path);

// kIo: "cannot open 'model.onnx': No such file or directory", from errno.
Status system_error(std::string_view action, const std::filesystem::path& path);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_BYTE_SOURCE_H_
