#include "src/formats/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <string>
#include <system_error>

#include "src/base/shelf.h"
#include "src/models/value_info.h"

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

namespace {

sigset_t size_signal() noexcept {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

bool is_pending() noexcept {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
}

}  // namespace

SizeSignalHeld::SizeSignalHeld() noexcept {
  const sigset_t set = size_signal();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
  was_pending_ = is_pending();
}

SizeSignalHeld::~SizeSignalHeld() {
  const int error = errno;
  const sigset_t set = size_signal();
  const timespec at_once = {};
  if (!was_pending_ && is_pending()) sigtimedwait(&set, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

namespace {

// The constants of a file may take this many times the file's size.
constexpr std::int64_t kMostOverlap = 4;

}  // namespace

// A range of the file, which is read when it is first asked for.
struct ConstantBlobs::Blob {
  Range range;
  std::shared_ptr<const ByteSource> source;  // null: they are in memory
  Published<std::shared_ptr<Tensor>> bytes;

  Result<std::shared_ptr<Tensor>> read(const ByteSource& from) {
    if (const auto* there = bytes.get(); there != nullptr) return *there;
    Result<Tensor> made = Tensor::allocate(DType::kUint8, {range.second});
    if (!made) return made.error();
    if (Status status = from.read(range.first, made->data(), range.second); !status) return status;
    return bytes.publish(std::make_shared<Tensor>(*std::move(made)));
  }

  Result<Tensor> tensor(DType type, const Shape& shape) {
    Result<std::shared_ptr<Tensor>> memory = source != nullptr ? read(*source) : *bytes.get();
    if (!memory) return memory.error();
    return Tensor::adopt(type, shape, (*memory)->data(), *memory);
  }
};

Result<Constant> in_memory(Result<Tensor> tensor) {
  return tensor ? Result<Constant>(*std::move(tensor)) : Result<Constant>(tensor.error());
}

Status ConstantBlobs::claim(const ByteSource& source, const Range& range) {
  const auto [offset, bytes] = range;
  if (offset > source.size() || bytes > source.size() - offset)
    return format_error(bytes, " bytes from byte ", offset, " are not in ", file_, ", which has ",
                        source.size());
  // Neither the sum nor the product can overflow, since a claim is at most as large as its file.
  if (claimed_bytes_ / kMostOverlap > source.size() - bytes / kMostOverlap)
    return format_error("the constants overlap in ", file_, ": together they take more than ",
                        kMostOverlap, " times its ", source.size(), " bytes");
  claimed_bytes_ += bytes;
  return {};
}

const std::shared_ptr<const ByteSource>& ConstantBlobs::shared(const ByteSource& source) {
  if (shared_ == nullptr && !at_once_) {
    shared_ = source.share();
    at_once_ = shared_ == nullptr;
  }
  return shared_;
}

Result<Constant> ConstantBlobs::find(const ByteSource& source, std::int64_t offset, DType type,
                                     const Shape& shape) {
  const Range range(offset, dense_byte_count(type, shape).value_or(0));
  if (range.second == 0) return in_memory(Tensor::allocate(type, shape));
  std::shared_ptr<Blob>& blob = blobs_[range];
  if (blob == nullptr) {
    if (Status status = claim(source, range); !status) return status;
    auto made = std::make_shared<Blob>();
    made->range = range;
    if (range.second >= kLeastUnreadBytes) made->source = shared(source);
    if (made->source == nullptr) {
      if (Status status = made->read(source).error(); !status) return status;
    }
    blob = std::move(made);
  }
  const auto tensor = [blob, type, shape] { return blob->tensor(type, shape); };
  if (blob->source != nullptr) return Constant(type, shape, tensor);
  return in_memory(tensor());
}

Result<std::string> ConstantBlobs::read_bytes(const ByteSource& source, std::int64_t offset,
                                              std::int64_t bytes) {
  if (Status status = claim(source, {offset, bytes}); !status) return status;
  return source.read_bytes(offset, bytes);
}

}  // namespace windrow::internal
