#ifndef WINDROW_FORMATS_BYTE_SOURCE_H_
#define WINDROW_FORMATS_BYTE_SOURCE_H_

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "windrow/constant.h"
#include "windrow/export.h"
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

// Something that bytes are appended to.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status write(const void* bytes, std::int64_t count) = 0;
  Status write(std::string_view bytes) {
    return write(bytes.data(), static_cast<std::int64_t>(bytes.size()));
  }
};

// While it lives, a write beyond the process's largest file size (RLIMIT_FSIZE) fails with EFBIG in
// this thread instead of raising SIGXFSZ, which would end the process. Signal handlers stay as they
// are.
class WINDROW_EXPORT SizeSignalHeld {
 public:
  SizeSignalHeld() noexcept;
  SizeSignalHeld(const SizeSignalHeld&) = delete;
  SizeSignalHeld& operator=(const SizeSignalHeld&) = delete;
  ~SizeSignalHeld();

 private:
  sigset_t before_;   // the thread's mask
  bool was_pending_;  // whether a signal of another write was pending, which stays
};

// Constants of fewer bytes are read at once: they take less memory than what it takes to find them
// later.
inline constexpr std::int64_t kLeastUnreadBytes = 1024;

// A constant that holds the tensor, or the error.
Result<Constant> in_memory(Result<Tensor> tensor);

// The constants of a model that stand in one file. They are read when they are first asked for, if
// the file can stay open and they are not small. Constants of the same bytes share memory, and
// blobs that overlap without being the same take four times the file's size at most, so that a
// small file can't ask for much.
class ConstantBlobs {
 public:
  // `file` is how messages name the file: "the .bin file". With `at_once` all constants are read
  // immediately.
  explicit ConstantBlobs(std::string file, bool at_once = false)
      : file_(std::move(file)), at_once_(at_once) {}

  // The dense constant whose elements stand at byte `offset` (not negative) of `source`, which must
  // be the same file in every call. Not for strings. The memory is shared: it must not be written.
  // Errors: kFormat (the bytes are not in the file, or too many bytes overlap), kIo, kOutOfMemory.
  Result<Constant> find(const ByteSource& source, std::int64_t offset, DType type,
                        const Shape& shape);

  // The bytes themselves, which count towards the limit as well. Errors as for find().
  Result<std::string> read_bytes(const ByteSource& source, std::int64_t offset, std::int64_t bytes);

 private:
  using Range = std::pair<std::int64_t, std::int64_t>;  // offset, bytes
  struct Blob;

  Status claim(const ByteSource& source, const Range& range);
  // The source of constants that stay in the file; null if they must be read now.
  const std::shared_ptr<const ByteSource>& shared(const ByteSource& source);

  std::string file_;
  bool at_once_;
  std::shared_ptr<const ByteSource> shared_;
  std::map<Range, std::shared_ptr<Blob>> blobs_;
  std::int64_t claimed_bytes_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_BYTE_SOURCE_H_
