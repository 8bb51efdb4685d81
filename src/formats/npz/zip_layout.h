#ifndef WINDROW_FORMATS_NPZ_ZIP_LAYOUT_H_
#define WINDROW_FORMATS_NPZ_ZIP_LAYOUT_H_

#include <cstdint>

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

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_NPZ_ZIP_LAYOUT_H_
