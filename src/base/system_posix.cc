#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>

#include "src/base/system.h"

namespace windrow::internal {

std::int64_t reported_second_level_cache() noexcept {
#ifdef _SC_LEVEL2_CACHE_SIZE
  return ::sysconf(_SC_LEVEL2_CACHE_SIZE);
#else
  return 0;
#endif
}

std::string architecture_name() {
  utsname system = {};
  return ::uname(&system) == 0 ? system.machine : "";
}

void prefer_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  static_cast<void>(::madvise(memory, bytes, MADV_HUGEPAGE));
#endif
}

void offer_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_FREE
  static_cast<void>(::madvise(memory, bytes, MADV_FREE));
#endif
}

std::size_t page_bytes() noexcept { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

void* map_pages(std::size_t bytes) noexcept {
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

void unmap_pages(void* memory, std::size_t bytes) noexcept { ::munmap(memory, bytes); }

bool at_fork(void (*before)(), void (*in_parent)(), void (*in_child)()) noexcept {
  return ::pthread_atfork(before, in_parent, in_child) == 0;
}

namespace {

// A descriptor that is closed at the end.
struct OpenFile {
  // Without O_NONBLOCK the call would wait until a pipe has a writer.
  explicit OpenFile(const std::string& path)
      : number(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (number >= 0) ::close(number);
  }
  const int number;
};

Status unreadable(const std::string& path, const std::string& why) {
  return {ErrorCode::kIo, "'" + path + "': " + why};
}

// Reads at most `most` bytes. Returns nothing, and leaves errno, if the system refuses.
std::optional<std::string> read_bytes(int file, std::size_t most) {
  std::string text(most, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t count = ::read(file, text.data() + size, text.size() - size);
    if (count == 0) break;
    if (count < 0 && errno != EINTR) return std::nullopt;
    size += count > 0 ? static_cast<std::size_t>(count) : 0;
  }
  text.resize(size);
  return text;
}

}  // namespace

Result<std::string> read_small_file(const std::string& path, std::size_t most) {
  const OpenFile file(path);
  struct stat about = {};
  if (file.number < 0 || ::fstat(file.number, &about) != 0)
    return unreadable(path, std::generic_category().message(errno));
  if (!S_ISREG(about.st_mode)) return unreadable(path, "is not an ordinary file");
  std::optional<std::string> text = read_bytes(file.number, most + 1);
  if (!text) return unreadable(path, std::generic_category().message(errno));
  if (text->size() > most)
    return unreadable(path, "has more than " + std::to_string(most) + " bytes");
  return *std::move(text);
}

}  // namespace windrow::internal
