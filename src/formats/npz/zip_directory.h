#ifndef WINDROW_FORMATS_NPZ_ZIP_DIRECTORY_H_
#define WINDROW_FORMATS_NPZ_ZIP_DIRECTORY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "src/formats/byte_source.h"
#include "windrow/status.h"

namespace windrow::internal {

// How a member of a zip archive is stored; others are not read.
enum class ZipMethod : std::uint8_t { kStored = 0, kDeflated = 8 };

// One member of a zip archive.
struct ZipEntry {
  std::string name;
  ZipMethod method = ZipMethod::kStored;
  std::uint32_t crc = 0;         // of the member's bytes
  std::int64_t stored_size = 0;  // bytes in the archive
  std::int64_t size = 0;         // bytes of the member
  std::int64_t header = 0;       // where its local header begins
  std::int64_t data = 0;         // where its stored bytes begin
};

// The members of a zip archive, with 64-bit sizes where it has them. All sizes and positions are
// checked: members lie between the file's start and the directory and share no bytes, and none is
// larger than its stored bytes can become (1032 times their number). Errors: kFormat, kUnsupported
// (several disks, encryption, another compression), kOutOfMemory, kIo.
Result<std::vector<ZipEntry>> read_zip_directory(const ByteSource& source);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_NPZ_ZIP_DIRECTORY_H_
