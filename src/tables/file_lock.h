#ifndef WINDROW_TABLES_FILE_LOCK_H_
#define WINDROW_TABLES_FILE_LOCK_H_

#include <cstdint>
#include <filesystem>

#include "windrow/status.h"

namespace windrow::internal {

enum class FileLock : std::uint8_t {
  kShared,  // held by every table that reads the file
  kAlone,   // held by the one table that writes to it
};

// Locks a whole file (F_OFD_SETLK), without waiting, until unlock_file() or until all descriptors
// of this opening are closed, those of forked processes included. It replaces the lock that the
// opening has. `fd` must be open for writing if the lock is kAlone. Errors: kIo (another opening,
// of this process or another one, has a lock that excludes this one), kUnsupported (the file system
// has no such locks; only for kAlone, since then nobody writes through a table).
Status lock_file(int fd, const std::filesystem::path& path, FileLock lock);
void unlock_file(int fd) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_TABLES_FILE_LOCK_H_
