#ifndef WINDROW_TABLES_CHECKSUM_H_
#define WINDROW_TABLES_CHECKSUM_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace windrow::internal {

static_assert(std::endian::native == std::endian::little);

using ChecksumTables = std::array<std::array<std::uint64_t, 256>, 8>;

// Table k: what a byte adds that k more bytes follow.
constexpr ChecksumTables make_checksum_tables() {
  constexpr std::uint64_t kPolynomial = 0xc96c5795d7870f42;
  ChecksumTables tables = {};
  for (std::uint64_t byte = 0; byte < 256; ++byte) {
    std::uint64_t sum = byte;
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? kPolynomial : 0);
    tables[0][byte] = sum;
  }
  for (std::size_t k = 1; k < 8; ++k)
    for (std::size_t byte = 0; byte < 256; ++byte)
      tables[k][byte] = tables[0][tables[k - 1][byte] & 0xff] ^ tables[k - 1][byte] >> 8;
  return tables;
}

inline constexpr ChecksumTables kChecksumTables = make_checksum_tables();

// CRC-64/XZ (ECMA-182, reflected): the sum of bytes that are given one piece after another.
class Checksum {
 public:
  void add(std::span<const std::byte> bytes) noexcept {
    while (bytes.size() >= 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes.data(), sizeof word);
      word ^= state_;
      state_ = 0;
      for (std::size_t k = 0; k < 8; ++k) state_ ^= kChecksumTables[7 - k][word >> (8 * k) & 0xff];
      bytes = bytes.subspan(8);
    }
    for (const std::byte byte : bytes) {
      const auto low = (state_ ^ std::to_integer<std::uint64_t>(byte)) & 0xff;
      state_ = kChecksumTables[0][low] ^ state_ >> 8;
    }
  }

  std::uint64_t value() const noexcept { return ~state_; }

 private:
  std::uint64_t state_ = ~std::uint64_t{0};
};

}  // namespace windrow::internal

#endif  // WINDROW_TABLES_CHECKSUM_H_
