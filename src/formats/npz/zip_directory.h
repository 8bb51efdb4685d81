#ifndef WINDROW_FORMATS_NPZ_ZIP_DIRECTORY_H_
#define WINDROW_FORMATS_NPZ_ZIP_DIRECTORY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "src/formats/byte_source.h"
#include "windrow/status.h"

// The records of a zip archive (PKWARE's APPNOTE.TXT, 4.3), as far as reading and writing share
// them. Numbers are little-endian.
namespace windrow::internal {

constexpr std::uint32_t kLocalHeader = 0x04034b50;
constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
constexpr std::uint32_t kDirectoryEnd = 0x06054b50;
constexpr std::uint32_t kDirectoryEnd64 = 0x06064b50;
constexpr std::uint32_t kDirectoryEnd64Locator = 0x07064b50;

// Bytes of the fixed part of each.
constexpr std::int64_t kLocalHeaderBytes = 30;
constexpr std::int64_t kDirectoryEntryBytes = 46;
constexpr std::int64_t kDirectoryEndBytes = 22;
constexpr std::int64_t kDirectoryEnd64Bytes = 56;
constexpr std::int64_t kLocatorBytes = 20;

constexpr std::uint32_t kIn64Bits = 0xffffffff;   // the value stands in the extra field
constexpr std::uint32_t kCountIn64Bits = 0xffff;  // the number of members does
constexpr std::uint16_t kExtra64 = 1;             // the extra field's id
constexpr std::uint16_t kNameIsUtf8 = 1 << 11;    // a flag

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

// The bytes of one member, inflated as they are read. Reading forwards takes one pass; reading
// backwards begins again from the start. It takes 64 KiB of memory, most of it for zlib's window.
class ZipMember final : public ByteSource {
 public:
  // Both must outlive the member.
  ZipMember(const ByteSource& archive, const ZipEntry& entry);
  ~ZipMember() override;

  std::int64_t size() const noexcept override { return entry_.size; }
  Status read(std::int64_t offset, void* to, std::int64_t bytes) const override;
  // Checks that the member ends where its sizes say and that its bytes have the archive's checksum.
  // Reads the rest of the member. Errors: kFormat, kOutOfMemory, kIo.
  Status check_whole() const;

 private:
  struct Inflater;

  Status restart() const;
  Status produce(void* to, std::int64_t bytes) const;
  Status skip(std::int64_t bytes) const;
  Status inflate(void* to, std::int64_t bytes) const;
  Status inflate_some() const;
  Status refill() const;

  const ByteSource& archive_;
  const ZipEntry& entry_;
  // The state of reading.
  mutable std::unique_ptr<Inflater> inflater_;  // null: nothing was inflated yet
  mutable std::int64_t position_ = 0;           // in the member
  mutable std::int64_t taken_ = 0;              // of the stored bytes
  mutable std::uint32_t crc_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_NPZ_ZIP_DIRECTORY_H_
