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
  // The same, into memory of their own. Precondition: `bytes` is not negative.
  Result<std::string> read_bytes(std::int64_t offset, std::int64_t bytes) const;
  // The same bytes, which live on by themselves; null where they do not: they must be read now.
  // Reading them is an error (kFormat) once the file is another than it was.
  virtual std::shared_ptr<const ByteSource> share() const { return nullptr; }
};

// A regular file. It is read, never mapped: a file that is cut while it is read is an error
// (kFormat), not a signal.
class FileSource final : public ByteSource {
 public:
  // Errors: kIo for what is absent, unreadable, a folder or no regular file.
  static Result<FileSource> open(const std::filesystem::path& path);

  FileSource(FileSource&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)),
        size_(other.size_),
        identity_(std::move(other.identity_)),
        changed_(other.changed_) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  FileSource& operator=(FileSource&&) = delete;
  ~FileSource() override;

  std::int64_t size() const noexcept override { return size_; }
  Status read(std::int64_t offset, void* to, std::int64_t bytes) const override;
  // Its file stays open.
  std::shared_ptr<const ByteSource> share() const override;
  int fd() const noexcept { return fd_; }
  // That the file still has the size that it had when it was opened. Errors: kFormat, kIo.
  Status check_size_is_the_same() const;
  // That, and that nobody has written to it since.
  Status check_is_the_same() const;
  // Device and number: the same for all names of one file.
  using Identity = std::pair<std::uint64_t, std::uint64_t>;
  const Identity& identity() const noexcept { return identity_; }

 private:
  using Time = std::pair<std::int64_t, std::int64_t>;  // seconds, nanoseconds
  FileSource(int fd, std::int64_t size, const Identity& identity, const Time& changed) noexcept
      : fd_(fd), size_(size), identity_(identity), changed_(changed) {}

  int fd_;
  std::int64_t size_;
  Identity identity_;
  Time changed_;  // when it was written to last
};

// Memory of somebody else.
class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) noexcept : bytes_(bytes) {}
  std::int64_t size() const noexcept override { return static_cast<std::int64_t>(bytes_.size()); }
  Status read(std::int64_t offset, void* to, std::int64_t bytes) const override;

 private:
  std::string_view bytes_;
};

// That a range lies inside a file of `size` bytes. Errors: kFormat.
Status check_range(std::int64_t offset, std::int64_t bytes, std::int64_t size);

// "'model.onnx'": how messages name a file.
std::string quoted(const std::filesystem::path& path);

// kIo: "cannot open 'model.onnx': No such file or directory", from errno.
Status system_error(std::string_view action, const std::filesystem::path& path);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_BYTE_SOURCE_H_
