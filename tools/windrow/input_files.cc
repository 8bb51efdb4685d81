#include "tools/windrow/input_files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/windrow/console.h"

namespace windrow::tool {

namespace {

namespace fs = std::filesystem;

constexpr char kName[] = "standard input";
constexpr std::size_t kReadAtOnce = std::size_t{1} << 16;

[[noreturn]] void fail_by_errno(const char* what) {
  fail(ErrorCode::kIo, fmt::format("{}: {}", what, std::strerror(errno)));
}

// Reads until the block is full or the input ends. Throws Error.
std::size_t read_block(std::array<char, kReadAtOnce>& block) {
  std::size_t filled = 0;
  while (filled < block.size()) {
    const ssize_t got = ::read(STDIN_FILENO, block.data() + filled, block.size() - filled);
    if (got == 0) break;
    if (got < 0 && errno != EINTR) fail_by_errno("cannot read standard input");
    if (got > 0) filled += static_cast<std::size_t>(got);
  }
  return filled;
}

void write_block(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) fail_by_errno("cannot copy standard input");
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Half of what is free where the copy stands.
std::uint64_t most_bytes(const fs::path& folder) {
  struct statvfs info = {};
  if (::statvfs(folder.c_str(), &info) != 0) return UINT64_MAX;
  return static_cast<std::uint64_t>(info.f_bavail) * info.f_frsize / 2;
}

// The ending that a file of these first bytes has; protobuf has no mark of its own.
std::string_view ending_of(std::string_view start, std::string_view protobuf) {
  if (start.starts_with("\x93NUMPY")) return ".npy";
  if (start.starts_with("PK")) return ".npz";
  if (start.size() > 8 && start[8] == '{' && start.substr(4, 4) == std::string_view("\0\0\0\0", 4))
    return ".safetensors";
  return protobuf;
}

// Closes the file at the end.
class CopyFile {
 public:
  explicit CopyFile(const std::string& path)
      : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600)) {
    if (file_ < 0) fail_by_errno("cannot copy standard input");
  }
  CopyFile(const CopyFile&) = delete;
  CopyFile& operator=(const CopyFile&) = delete;
  ~CopyFile() { ::close(file_); }
  int file() const noexcept { return file_; }

 private:
  int file_;
};

// "FILE:NAME", of which FILE is an archive or standard input, or a file alone.
struct TensorPlace {
  std::string file;
  std::optional<std::string> name;
};

TensorPlace place_of(const std::string& text) {
  for (std::size_t colon = text.find(':'); colon != std::string::npos;
       colon = text.find(':', colon + 1)) {
    std::string file = text.substr(0, colon);
    if (file == kStandardStream || TensorArchive::is_archive(file))
      return {std::move(file), text.substr(colon + 1)};
  }
  return {text, std::nullopt};
}

}  // namespace

std::string shown_file(const std::string& text) { return text == kStandardStream ? kName : text; }

const std::string& InputFiles::standard_input(Kind kind) {
  if (is_taken_ && !TensorArchive::is_archive(copy_))
    fail(ErrorCode::kInvalidArgument, "standard input is read once: - may be given for one file");
  is_taken_ = true;
  if (!copy_.empty()) return copy_;
  if (::isatty(STDIN_FILENO) == 1)
    fail(ErrorCode::kInvalidArgument,
         "- is standard input, which is a terminal: give it a file or a pipe");
  std::array<char, kReadAtOnce> block;
  std::size_t bytes = read_block(block);
  if (bytes == 0) fail(ErrorCode::kInvalidArgument, "standard input is empty");
  const std::string_view start(block.data(), bytes);
  if (kind == Kind::kModel && start.starts_with('<'))
    fail(ErrorCode::kInvalidArgument,
         "standard input begins like XML: an OpenVINO IR is two files and is read from its .xml "
         "file");
  folder_.emplace(fs::temp_directory_path(), false, kName);
  const std::string_view ending = kind == Kind::kModel ? ".onnx" : ending_of(start, ".pb");
  copy_ = folder_->path() / fmt::format("standard_input{}", ending);
  const CopyFile copy(copy_);
  const std::uint64_t most = most_bytes(folder_->path());
  for (std::uint64_t total = 0; bytes > 0; bytes = read_block(block)) {
    total += bytes;
    if (total > most)
      fail(ErrorCode::kIo, fmt::format("standard input has more than {} bytes, half of what is "
                                       "free in {}; give it as a file",
                                       most, fs::temp_directory_path().string()));
    write_block(copy.file(), {block.data(), bytes});
  }
  return copy_;
}

template <class Load>
auto InputFiles::named(const Load& load) const {
  try {
    return load();
  } catch (const Error& error) {
    if (copy_.empty()) throw;
    const Status& status = error.status();
    std::string message = status.message();
    const std::string path = fmt::format("'{}'", copy_);
    for (std::size_t at = message.find(path); at != std::string::npos; at = message.find(path))
      message.replace(at, path.size(), kName);
    if (message == status.message()) throw;
    fail(status.code(), std::move(message));
  }
}

std::string InputFiles::model_path(const std::string& text) {
  return text == kStandardStream ? standard_input(Kind::kModel) : text;
}

std::string InputFiles::tensor_path(const std::string& text) {
  return text == kStandardStream ? standard_input(Kind::kTensor) : text;
}

Model InputFiles::load_model(const std::string& path) const {
  return named([&] { return windrow::load_model(path).value(); });
}

Tensor InputFiles::load_tensor(const std::string& text, const std::string& name, DType expected) {
  const TensorPlace place = place_of(text);
  const std::string path = tensor_path(place.file);
  return named([&] {
    if (!place.name && !TensorArchive::is_archive(path))
      return windrow::load_tensor(path, expected).value();
    const TensorArchive archive = TensorArchive::open(path).value();
    if (place.name) return archive.load(*place.name, expected).value();
    const bool is_only = archive.names().size() == 1;
    return archive.load(is_only ? archive.names()[0] : name, expected).value();
  });
}

std::optional<TensorArchive> InputFiles::open_archive(const std::string& text) {
  if (text != kStandardStream && !TensorArchive::is_archive(text)) return std::nullopt;
  const std::string path = tensor_path(text);
  is_taken_ = false;  // what the caller does next takes it
  if (!TensorArchive::is_archive(path)) return std::nullopt;
  return named([&] { return TensorArchive::open(path).value(); });
}

}  // namespace windrow::tool
