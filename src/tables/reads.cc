#include "src/tables/reads.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace windrow::internal {

Status check_read(const BlockRead& read, std::int64_t got) {
  if (got >= read.least) return {};
  const std::string file = "'" + read.file->path().string() + "'";
  if (got < 0)
    return Status(ErrorCode::kIo, "cannot read " + file + " at byte " +
                                      std::to_string(read.offset) + ": " +
                                      std::generic_category().message(static_cast<int>(-got)));
  return Status(ErrorCode::kFormat,
                file + " was cut while it was read: it had " + std::to_string(read.file->size()) +
                    " bytes, now it ends at byte " + std::to_string(read.offset + got));
}

Status read_block(const BlockRead& read, std::byte* to) {
  std::int64_t got = 0;
  while (got < read.least) {
    const ssize_t more = ::pread(read.file->fd(), to + got,
                                 static_cast<std::size_t>(read.bytes - got), read.offset + got);
    if (more < 0 && errno == EINTR) continue;
    if (more < 0) return check_read(read, -errno);
    if (more == 0) break;
    got += more;
    // A read past the page cache that ends inside a block has met the end of the file.
    if (got % read.file->block() != 0) break;
  }
  return check_read(read, got);
}

void Slots::Free::operator()(std::byte* memory) const noexcept {
  ::munmap(memory, static_cast<std::size_t>(bytes));
}

Result<Slots> Slots::allocate(const EngineOptions& options) {
  const std::int64_t bytes = options.depth * options.slot_bytes;
  void* memory = ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return Status(ErrorCode::kOutOfMemory, "cannot allocate " + std::to_string(bytes) + " bytes");
  return Slots({static_cast<std::byte*>(memory), Free{bytes}}, options.slot_bytes);
}

}  // namespace windrow::internal
