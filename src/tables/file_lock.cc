#include "src/tables/file_lock.h"

#include <fcntl.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace windrow::internal {
namespace {

int set_lock(int fd, int type) {
  struct flock whole = {};
  whole.l_type = static_cast<short>(type);
  whole.l_whence = SEEK_SET;
  int result = 0;
  do {
    result = ::fcntl(fd, F_OFD_SETLK, &whole);
  } while (result != 0 && errno == EINTR);
  return result;
}

}  // namespace

Status lock_file(int fd, const std::filesystem::path& path, FileLock lock) {
  const bool is_alone = lock == FileLock::kAlone;
  if (set_lock(fd, is_alone ? F_WRLCK : F_RDLCK) == 0) return {};
  const int error = errno;
  const std::string file = "'" + path.string() + "'";
  if (error == EAGAIN || error == EACCES)
    return Status(ErrorCode::kIo,
                  is_alone ? file +
                                 " cannot be opened for writing: another table, of this process "
                                 "or of another one, has it open"
                           : file +
                                 " cannot be opened: another table, of this process or of "
                                 "another one, has it open for writing");
  if (!is_alone) return {};
  return Status(ErrorCode::kUnsupported,
                file + " cannot be opened for writing: its file system cannot lock it (" +
                    std::generic_category().message(error) + ")");
}

void unlock_file(int fd) noexcept { set_lock(fd, F_UNLCK); }

}  // namespace windrow::internal
